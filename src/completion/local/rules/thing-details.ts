import { inThirdPerson } from '../third-person.js';
import { durable } from './rule.js';

const DETAIL =
  /^(?:called .{1,80}|,? ?[\p{Lu}]\p{L}+(?:(?:,? and |, )\p{Lu}\p{L}+)*|(?:in|with|of|from|to) (?!(?:me|this|that|it|you|a question|problem)\b)[\p{L}\d][\p{L}\d' -]{1,60}|aged? \d+(?: and \d+)?)$/u;

/** What may follow the thing had: its name, its age, what it is of. Anything else is a story. */
export function detailOf(tail: string): string | null {
  const text = tail
    .trim()
    .replace(/[.,;]+$/, '')
    .replace(/^,? ?but .*$|,? and (?:he|she|it|they)\b.*$/i, '')
    .replace(/^, (?=\p{Lu}[\p{L}'-]+(?:,? and \p{Lu}|, \p{Lu}))/u, 'called ')
    .replace(/^, (\p{Lu}[\p{L}'-]+),? who is .*$/u, 'called $1')
    .replace(/^, (\p{Lu}[\p{L}'-]+)(?:,? (?:aged )?\d{1,2})?$/u, 'called $1')
    // With its stop it would read as two sentences.
    .replace(/^,? (?=(?:Dr|Mr|Mrs|Ms|Prof)\b)(\p{L}+)\.? (?=\p{Lu})/u, 'called $1 ')
    .replace(
      /^,? ?(?:and )?(?:named|who is (?:called|named)|whose name is|(?:her|his|their|its) names? (?:is|are)) /i,
      'called ',
    );
  if (text === '') return '';
  return DETAIL.test(text) && durable(text, 10) !== null ? ` ${inThirdPerson(text)}` : null;
}
