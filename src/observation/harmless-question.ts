import type { CompletionRequest } from '../completion/completion.js';
import { EXTRACTION_SCHEMA, extractionPrompt } from './extractor/extraction-prompt.js';

/** The least question, asked as turns are: nobody's words can be at fault where a model does not answer it. */
export function harmlessQuestion(now: Date): CompletionRequest {
  const input = { messages: [{ role: 'user', content: 'Hello.' }], occurredAt: now, timeZone: null } as const;
  return { task: 'extract', input, prompt: extractionPrompt(input), schema: EXTRACTION_SCHEMA };
}
