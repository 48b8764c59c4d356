import { SECOND_VERB, standsAlone } from './second-verb.js';

const BOUNDARY = new RegExp(
  '\\s*(?:;|\\s[\\u2014\\u2013-]\\s|\\u2014)\\s*(?:and |but |so |plus )?' +
    `|,?\\s+(?:and|but|so|plus|yet|while|whereas|though|although|and also|but also)\\s+(?=(?:also |then |now |currently |please |just |really |that )*(?:(?:I|my|please|always|never|do not|call me|keep)\\b|${SECOND_VERB}))` +
    `|,\\s*(?=(?:also |then |now |currently |please )*(?:(?:I|my|please|call me|keep (?:it|answers|replies|your))\\b|${SECOND_VERB}))`,
  'g',
);

/** The statements of a sentence, parted where another one begins. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: joint, index } of text.matchAll(BOUNDARY)) {
    if (!standsAlone(text.slice(from, index), joint, text.slice(index + joint.length))) continue;
    parts.push(text.slice(from, index));
    from = index + joint.length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}
