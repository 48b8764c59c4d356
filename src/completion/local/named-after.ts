import { PET } from '../../model/pet.js';
import type { Finding } from './rules/rule.js';
import { KIN } from './rules/things.js';

const NAMES = /^(?:his|her|its) name(?: is|'s) (\p{Lu}[\p{L}'-]+)[.!]*$/iu;
const UNNAMED = new RegExp(`^Has an? (?:[\\p{L}\\d-]+ ){0,2}(?:${PET}|${KIN})$`, 'iu');

/** "We got a kitten. Her name is Miso": what was told last, with its name. Null where the sentence names nothing of the kind. */
export function withName(told: Finding | undefined, sentence: string): Finding | null {
  const name = NAMES.exec(sentence.trim())?.[1];
  return told && name !== undefined && /^\p{Lu}/u.test(name) && UNNAMED.test(told.content)
    ? { ...told, content: `${told.content.replace(/^Has a new /, 'Has a ')} called ${name}` }
    : null;
}
