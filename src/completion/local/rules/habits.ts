import { capitalised, inThirdPerson, thirdPerson } from '../third-person.js';
import { IMPORTANCE, durable, since } from './rule.js';
import type { Rule } from './rule.js';

const HABIT_VERB =
  /^(?:go|run|jog|swim|cycle|bike|walk|wake|get up|train|exercise|meditate|cook|bake|commute|work out|practi[cs]e|play|read|hike|climb|surf|ski|paint|draw|dance|fast|sleep|volunteer|attend|visit|teach|travel|eat|drink|take|see|do|have|knit|sing|garden|fish|journal|lift|row|skate|stretch|babysit|travel)$/;
const REGULARLY =
  /\b(?:every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|other day|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|each (?:day|morning|evening|week)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|at weekends|on weekdays|daily|weekly|(?:once|twice|three times|four times|five times|\d+ times) (?:a|per) (?:day|week|month|year)|in the (?:mornings|evenings)|most (?:days|mornings|evenings|weekends)|for a living|regularly)\b/i;
/** "Get up at 5:30": a clock time without a day is every day's. */
const ROUTINE =
  /^(?:(?:wake|get) up|go to (?:bed|sleep)|(?:start|finish) work) at (?:about |around )?(?:\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?|noon|midnight)$/i;
const PASTIME = /^(?:play|collect|practi[cs]e|volunteer|commute|sing|dance)$/;
const INSTRUMENT_OR_SPORT =
  /^(?:the )?(?:guitar|bass(?: guitar)?|piano|violin|cello|flute|drums|saxophone|trumpet|harp|ukulele|clarinet|banjo|accordion|keyboard|tennis|football|soccer|basketball|volleyball|badminton|golf|chess|hockey|rugby|cricket|squash|padel|pickleball|poker|bridge|go|baseball|handball|water polo|table tennis|dungeons & dragons|d&d)\b/i;
const ENDED = /\b(?:any ?more|any longer|no longer|stopped|quit|given up|gave up)\b/i;
const GIVEN_UP =
  /^I (?:have )?(?:just |recently |finally )*(?:given up|gave up|quit)(?: on)?(?: playing)? ((?:the |my )?[\p{L}\d_ ]{3,20})$/iu;
/** Said to be over, they need no "every day". */
const SPORT =
  /^(?:run|jog|swim|cycle|bike|hike|climb|surf|ski|row|skate|lift|exercise|meditate|paint|draw|dance|knit|sing|work|volunteer|journal|fast|garden|commute)$/;
/** No longer: at these times. */
const WORKING_TIME =
  /^(?:(?:on|at) (?:weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|nights|night shifts|shifts|late)?$/i;
const TROUBLE = /\b(?:error|exception|crash|bug|message|timeout|build|notification|this|that)\b/i;

/** The rest of the story: "and he wins", "but on Sundays I sleep in". */
const AND_THEN = /,? (?:but\b|and (?:he|she|it|they|then|afterwards|after that)\b).*$/i;
/** "Go twice a week": where to was told before. */
const WHERE_TO =
  /^(?:go|attend|visit|take|see|do|have) (?:once|twice|every|each|daily|weekly|regularly|on|[\p{L}\d_]+ times)\b/iu;

/** What the user does again and again: a verb of daily life with how often, an instrument, a sport, a collection. */
export const habits: Rule = ({ text, predicate, additional, renewed }) => {
  const givenUp = GIVEN_UP.exec(text)?.[1];
  if (givenUp !== undefined && INSTRUMENT_OR_SPORT.test(givenUp))
    return { content: `Does not play ${givenUp.replace(/^my /i, 'the ')}`, kind: 'fact', importance: IMPORTANCE.fact };
  if (!predicate) return null;
  const { verb, negated } = predicate;
  const rest = predicate.rest.replace(/,? instead(?: now)?$/i, '').replace(AND_THEN, '');
  const what = durable(rest, 12) ?? '';
  if (TROUBLE.test(rest) || /^(?:with|around)\b/i.test(rest) || WHERE_TO.test(`${verb} ${rest}`)) return null;
  const regular =
    HABIT_VERB.test(verb) && REGULARLY.test(rest) && durable(rest.replace(REGULARLY, 'then'), 12) !== null;
  const pastime =
    PASTIME.test(verb) &&
    what !== '' &&
    (verb === 'play'
      ? INSTRUMENT_OR_SPORT.test(what)
      : verb === 'collect'
        ? /^(?:[\p{L}\d_-]+ ){0,2}[\p{L}\d_-]+s$/iu.test(what) &&
          !/\b(?:data|logs|metrics|errors|stats|statistics|events|results)\b/i.test(what)
        : verb === 'commute'
          ? /^(?:by|to|from|on|\d)/i.test(what)
          : verb === 'volunteer'
            ? /^(?:at|for|as|with|in)\b/i.test(what)
            : verb === 'sing' || verb === 'dance'
              ? /^(?:in|salsa|tango|ballet|swing|bachata)\b/i.test(what)
              : /^(?:yoga|judo|karate|tai chi|meditation|taekwondo|pilates|aikido|jiu-jitsu|calligraphy|law|medicine|islam|buddhism)\b/i.test(
                  what,
                ));
  const isOver = negated && ENDED.test(text);
  const over =
    isOver &&
    (verb === 'take'
      ? /^[\p{L}\d -]{3,30}$/u.test(what)
      : SPORT.test(verb) && (verb === 'work' ? WORKING_TIME : /^(?:out|regularly)?$/).test(rest));
  if (!regular && !pastime && !over && !ROUTINE.test(`${verb} ${rest.trim()}`)) return null;
  const words = inThirdPerson(rest.trim());
  return {
    content: negated
      ? `Does not ${verb} ${words}`.trim()
      : since(additional ? null : renewed, capitalised(`${additional ? 'also ' : ''}${thirdPerson(verb)} ${words}`)),
    kind: 'fact',
    importance: IMPORTANCE.fact,
  };
};
