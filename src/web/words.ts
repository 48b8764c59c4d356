import type { Kind, ShownMemory, ShownRevision } from './memory-client.js';

/** What the page calls things. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  FACT: 'Fact',
  PREFERENCE: 'Preference',
  GOAL: 'Goal',
  INSTRUCTION: 'Instruction',
  EPISODIC: 'Event',
};

export const SOURCE_WORDS: Readonly<Record<ShownMemory['source'], string>> = {
  MANUAL: 'Added by hand',
  OBSERVED: 'From a conversation',
  IMPORTED: 'Imported',
};

export const END_WORDS: Readonly<Record<ShownRevision['endedBy'], string>> = {
  UPDATE: 'changed',
  FORGET: 'forgotten',
  EXPIRE: 'expired',
  MERGE: 'merged into another',
  RESTORE: 'replaced by an earlier state',
};

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** In the reader's own language and time zone. @param iso ISO 8601 */
export function dateWords(iso: string): string {
  return dates.format(new Date(iso));
}

/** The beginning of a text, to tell which memory is meant. */
export function excerpt(content: string): string {
  const characters = [...content];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : content;
}
