import type { English } from '../english.js';
import { inThirdPerson } from '../third-person.js';
import { IMPORTANCE, durable, fact } from './rule.js';
import type { Rule } from './rule.js';

const MOVED =
  /^I (?:have |am |will be |will )?(?:just |recently |finally |now |since )*(?:moved|relocated|moving|relocating|(?<=will )(?:move|relocate)) (?:back )?(?:(?:away )?from (.+?) )?to (.+)$/i;
/** "Today" or "this week" one leaves for a visit. */
const LEFT_FOR =
  /^I (?:have )?(?:just |recently |finally )*left (\p{Lu}[\p{L} '-]*?) for (\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*)(?: (?:last (?!night)|in|two|three|a) .+)?$/u;
const WHEN_OR_WHY =
  /\s+(?:last|this|next|in|on|for|a|two|three|at (?:\d+|the age)|yesterday|today|tomorrow|with|recently|now|because|when|after|before|since|to)\b.*$/i;
const IN_MIND =
  /^(?:fear|hope|peace|denial|poverty|luxury|harmony|a (?:bubble|dream|world|simulation|society)|the (?:moment|past|present|future|now|terminal|editor|cloud|browser)|interesting|my head|vim|emacs)\b/i;
const LIVED_ON =
  /^(?:\p{Lu}|(?:an?|the|my|our) (?:[\p{L}\d_-]+ )*?(?:boat|houseboat|farm|island|ranch|barge|campus|street|road|coast|hill|mountain|river|lake|beach|estate|ship|yacht|reservation|base|outskirts|edge|border|floor|square|corner|side)\b|campus\b)/u;
const STAY =
  /\b(?:this (?:week|month)|until|till|for (?:a|the|two|three|\d+) (?:few )?(?:days?|nights?|weeks?|weekend))\b/i;

/** Where the user lives, comes from, and has moved to. */
export const residence: Rule = ({ text, predicate, english, calendar, additional }) => {
  const moved = MOVED.exec(text);
  if (moved) {
    const [, from = '', to = ''] = moved;
    const place = placeIn(to.replace(WHEN_OR_WHY, ''), english);
    // One may also move to another tool, team or slide: only a known town on one of the sides makes it a home.
    if (place === null || !(english.isPlace(place) || (from !== '' && english.isPlace(from)))) return null;
    if (!/^I (?:am|will)/.test(text)) return fact(`Lives in ${place}`);
    const when = calendar.absolute(/\s+(?:last|this|next|in|on|tomorrow|today)\b.*$/i.exec(to)?.[0] ?? '');
    return { content: `Is moving to ${place}${when}`, kind: 'episodic', importance: IMPORTANCE.fact };
  }
  const [, old = '', next = ''] = LEFT_FOR.exec(text) ?? [];
  if (next !== '' && english.isPlace(old) && english.isPlace(next)) return fact(`Lives in ${next}`);
  const home = placeIn(
    /^my (?:home|new (?:home|flat|apartment|house|place|address)) is (?:now )?in (.+)$/i.exec(text)?.[1] ?? '',
    english,
  );
  if (home !== null && english.isPlace(home)) return fact(`Lives in ${home}`);
  if (predicate) {
    const { verb, rest, negated } = predicate;
    const phrase = { live: rest, reside: rest, be: /^(?:living|based|residing|located) (.+)$/i.exec(rest)?.[1] }[verb];
    const lives = phrase === undefined ? null : /^(?:here )?(in|near|on|outside|with|by) (.+)$/i.exec(phrase);
    if (phrase !== undefined && /^(?:all )?(?:alone|on my own|by myself)$/i.test(phrase))
      return fact(negated ? 'Does not live alone' : 'Lives alone');
    if (lives) {
      const [, preposition = '', where = ''] = lives;
      const place = placeIn(where.replace(/\s+(?:at the moment|for now|right now|these days)$/i, ''), english);
      if (place === null || IN_MIND.test(place) || STAY.test(where)) return null;
      // "On coffee", "on a pension": what keeps one alive, unless it is a place to live on.
      if (/^on$/i.test(preposition) && !LIVED_ON.test(place)) return null;
      const finite = negated ? 'Does not live' : additional ? 'Also lives' : 'Lives';
      return fact(`${finite} ${preposition.toLowerCase()} ${calendar.absolute(inThirdPerson(place))}`);
    }
    const origin = verb === 'be' || verb === 'come' ? /^(?:originally )?from (.+)$/i.exec(rest) : null;
    if (origin) {
      const place = placeIn(origin[1] ?? '', english);
      return place === null || !english.isPlace(place) ? null : fact(`${negated ? 'Is not' : 'Is'} from ${place}`);
    }
  }
  const past = /^I (was born|was raised|grew up) (in|on|near) (.+)$/i.exec(text);
  if (past) {
    const where = placeIn(past[3] ?? '', english);
    const verb = (past[1] ?? '').toLowerCase();
    return where === null
      ? null
      : fact(`${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${past[2]?.toLowerCase()} ${where}`);
  }
  return null;
};

/** "São Paulo, Brazil" keeps its country, "berlin" gets its capital. */
function placeIn(words: string, english: English): string | null {
  const [, town = words, country] = /^([^,]+), (\p{Lu}[\p{L}. ]+)$/u.exec(words) ?? [];
  const place = durable(town, 9);
  if (place === null) return null;
  const named =
    /\p{Lu}/u.test(place) || !english.isPlace(place) || / (?:in|near|with|and) /.test(place)
      ? place
      : place.replace(/(?<=^|[ -])\p{Ll}/gu, (letter) => letter.toUpperCase());
  return country !== undefined && country.split(' ').length <= 3 ? `${named}, ${country}` : named;
}
