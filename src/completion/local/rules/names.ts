import { PET } from '../../../model/pet.js';
import { durable, fact } from './rule.js';
import type { Rule } from './rule.js';
import { ADJECTIVE, KIN, SERVING, WORK, article, withoutWhatTheyDo } from './things.js';

const TITLED = /^(?:Dr|Mr|Mrs|Ms|Prof)\.? \p{Lu}/u;
const NAME =
  "((?:[\\p{Lu}\\d][\\p{L}\\p{M}\\d&.'+-]*|of|the|and|de|la|von|van)(?: (?:&|[\\p{Lu}\\d][\\p{L}\\p{M}\\d&.'+-]*|of|the|and|de|la|von|van))*|[\\p{Ll}][\\p{L}\\d]*[.\\d][\\p{L}\\d.]*|[a-z][a-z\\d-]{2,})";
const CALLED = new RegExp(
  `^my (${ADJECTIVE}(?:${KIN}|${SERVING}|${PET}|${WORK}))(?:'s name)? (?:is|was just|is now|are) (?:called |named )?${NAME}$`,
  'u',
);
const CALLED_WORD = /(?:'s name (?:is|are)|called|named)\s/;

/** "My dog Bruno hates the vacuum": what he does is his, and the name is known. */
const PET_BY_NAME = new RegExp(
  `^my (${PET}),? (\\p{Lu}\\p{Ll}+),? (?:is (?:an?|so|very|scared|afraid|always|\\d)|loves|hates|likes|barks|sleeps|eats|always|never|needs|wants|keeps)\\b`,
  'u',
);

/** What somebody or something of the user's is called, or was renamed to. */
export const names: Rule = (statement) => {
  const text = withoutWhatTheyDo(statement.text);
  const renamed =
    /^I (?:have )?(?:just )?(?:renamed|rebranded) (?:my )?([\p{L}\d_ -]{2,30}?) (?:from (.+?) )?(?:to|as) (.+)$/iu.exec(
      text,
    );
  if (renamed) {
    const [, thing = '', from, to = ''] = renamed;
    const name = durable(to, 4);
    return name !== null && /^[\p{Lu}\d]/u.test(name) && new RegExp(`^(?:${WORK}|${PET})$`, 'iu').test(thing.trim())
      ? fact(`Has ${article(thing.trim())} ${thing.trim()} called ${name}${from ? `, formerly ${from}` : ''}`)
      : null;
  }
  const pet = PET_BY_NAME.exec(text);
  if (pet) return fact(`Has ${article(pet[1] ?? '')} ${pet[1]} called ${pet[2]}`);
  const [, put = text, wrong] = /^(.+), not (\p{Lu}[\p{L}'-]+)$/u.exec(text) ?? [];
  const called = CALLED.exec(put);
  if (called) {
    const [, owned = ''] = called;
    // With its stop it would read as two sentences.
    const name = (called[2] ?? '').replace(/^(Dr|Mr|Mrs|Ms|Prof)\. /, '$1 ');
    const explicit = CALLED_WORD.test(put.slice(3 + owned.length));
    if (
      (explicit ||
        (new RegExp(`(?:${KIN}|${SERVING}|${PET})$`, 'u').test(owned) &&
          /^\p{Lu}/u.test(name) &&
          (TITLED.test(name) || statement.english.isFirstName(name.split(' ')[0] ?? '')))) &&
      !/^(?:not|it|after|off|out|by|from|via|back|twice|once|for|in|on|with|when|every|again|late|home|into|up)\b/.test(
        name,
      )
    ) {
      return fact(
        `Has ${article(owned)} ${owned} called ${name}${wrong === undefined ? '' : `, not ${wrong}`}`.replace(
          'an other ',
          'another ',
        ),
      );
    }
  }
  return null;
};
