import type { PolicySubject } from './persistence-policy.js';

/** Last hook before a text is stored: returns the text to keep. The embedding is made from what it returns. */
export interface Redactor {
  redact(subject: PolicySubject): string | Promise<string>;
}
