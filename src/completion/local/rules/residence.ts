import { IMPORTANCE, durable } from './rule.js';
import type { Rule } from './rule.js';

const MOVED =
  /^I (?:have |am |will be )?(?:just |recently |finally |now )*(?:moved|relocated|moving|relocating) (?:back )?(?:(?:away )?from (.+?) )?to (.+)$/i;
const IN_MIND =
  /^(?:fear|hope|peace|denial|poverty|luxury|harmony|a (?:bubble|dream|world|simulation|society)|the (?:moment|past|present|future|now|terminal|editor)|interesting|my head|vim|emacs)\b/i;

/** Where the user lives, comes from, and has moved to. */
export const residence: Rule = ({ text, predicate, english, calendar, additional }) => {
  const moved = MOVED.exec(text);
  if (moved) {
    const [, from = '', to = ''] = moved;
    const place = durable(
      to.replace(/\s+(?:last|this|next|in|on|for|a|two|three|yesterday|today|tomorrow|with|recently|now)\b.*$/i, ''),
      5,
    );
    if (place === null || !(english.isPlace(place) || (from !== '' && english.isPlace(from)))) return null;
    if (/^I am|^I will/.test(text)) {
      const when = calendar.absolute(to.slice(place.length).trim());
      return {
        content: `Is moving to ${place}${when ? ` ${when}` : ''}`,
        kind: 'episodic',
        importance: IMPORTANCE.fact,
      };
    }
    return { content: `Lives in ${place}`, kind: 'fact', importance: IMPORTANCE.fact };
  }
  if (!predicate) return null;
  const { verb, rest, negated } = predicate;
  const lives =
    verb === 'live'
      ? /^(?:(?:here )?(in|near|on|outside|with|alone|by)\b ?)(.*)$/i.exec(rest)
      : verb === 'be'
        ? /^(?:living|based|residing|located|staying) (in|near|outside|with|alone)\b ?(.*)$/i.exec(rest)
        : verb === 'reside'
          ? /^(in) (.*)$/i.exec(rest)
          : null;
  if (lives) {
    const [, preposition = '', where = ''] = lives;
    const place = durable(where.replace(/\s+(?:at the moment|for now|right now|these days)$/i, ''), 9);
    if (place === null || IN_MIND.test(place))
      return preposition.toLowerCase() === 'alone' && where === ''
        ? { content: 'Lives alone', kind: 'fact', importance: IMPORTANCE.fact }
        : null;
    return {
      content: `${negated ? 'Does not live' : additional ? 'Also lives' : 'Lives'} ${preposition} ${calendar.absolute(place)}`,
      kind: 'fact',
      importance: IMPORTANCE.fact,
    };
  }
  const origin =
    verb === 'be'
      ? /^(?:originally )?from (.+)$/i.exec(rest)
      : verb === 'come'
        ? /^(?:originally )?from (.+)$/i.exec(rest)
        : null;
  if (origin) {
    const place = durable(origin[1] ?? '', 5);
    if (place === null || !english.isPlace(place)) return null;
    return { content: `${negated ? 'Is not' : 'Is'} from ${place}`, kind: 'fact', importance: IMPORTANCE.fact };
  }
  const born = /^I was (born|raised) (in|on) (.+)$/i.exec(text);
  if (born) {
    const where = durable(born[3] ?? '', 6);
    return where === null
      ? null
      : {
          content: `Was ${born[1]?.toLowerCase()} ${born[2]?.toLowerCase()} ${where}`,
          kind: 'fact',
          importance: IMPORTANCE.fact,
        };
  }
  const grew = /^I grew up (in|on|near) (.+)$/i.exec(text);
  if (grew) {
    const where = durable(grew[2] ?? '', 6);
    return where === null
      ? null
      : { content: `Grew up ${grew[1]?.toLowerCase()} ${where}`, kind: 'fact', importance: IMPORTANCE.fact };
  }
  return null;
};
