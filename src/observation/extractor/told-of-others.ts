import { words } from '../../model/search-text.js';
import { shareIn, tellingWords } from '../telling-words.js';

/** People (and pets) of whom users tell, in languages that name the speaker wherever they speak of themselves. */
const PERSON =
  'mother|father|mum|mom|dad|parents|sister|brother|sibling|daughter|son|kids?|children|child|baby|wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|ex|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|grandma|grandpa|grandparents|in-laws|friends?|bestie|boss|manager|colleagues?|coworkers?|neighbou?rs?|roommate|flatmate|landlord|teacher|doctor|therapist|clients?|customers?|students?|dog|cat|' +
  'mutter|vater|mama|papa|eltern|schwester|bruder|tochter|sohn|kinder|frau|mann|partnerin|freund|freundin|oma|opa|tante|onkel|chef|chefin|kollege|kollegin|nachbar|nachbarin|kunde|kundin|hund|katze|' +
  'mère|père|sœur|soeur|frère|fille|fils|femme|mari|ami|amie|copine|copain|patron|patronne|collègue|voisine?|chien|chat';
/** A sentence that begins with somebody else, and then speaks of them. */
const OF_ANOTHER = new RegExp(
  `^[^\\p{L}]*(?:(?:and|but|so|well|also|oh|yes|no|actually|btw|by the way|und|aber|et|mais),? ){0,2}(?:(?:my|our|meine?|unsere?|mon|ma|mes|notre) (?:[\\p{L}-]+ ){0,2}?(${PERSON})(?!\\p{L})|(he|she)\\b)`,
  'iu',
);
const SPEAKER = /(?<![\p{L}'])(?:i|me|myself|mine|we|us|ours|ich|mich|mir|wir|uns|je|j['\u2019]|moi|nous)(?![\p{L}])/iu;

/**
 * Whether a statement without a subject, and so the user's, takes its words from sentences about somebody else only:
 * "Hates cilantro" from "My sister says she hates cilantro".
 */
export function isToldOfOthers(statement: string, said: readonly string[]): boolean {
  const telling = tellingWords(statement);
  if (telling.length === 0) return false;
  const own = new Set(words(statement));
  let fromOthers = false;
  for (const sentence of said.flatMap((text) => text.split(/(?<=[.!?;])\s+|\n+/u))) {
    const share = shareIn(telling, new Set(words(sentence)));
    // A sentence with few of them is not where they come from.
    if (share < 0.5) continue;
    const person = OF_ANOTHER.exec(sentence);
    if (person === null || SPEAKER.test(sentence)) return false;
    // "Has a sister who ..." keeps whom it is about.
    if (own.has(person[1]?.toLowerCase() ?? '')) return false;
    // A word that stands elsewhere may be the subject: "Rex is five" from "My dog is Rex. He is five."
    fromOthers ||= share === 1;
  }
  return fromOthers;
}
