import { kindOfTool } from '../../../model/counterparts.js';
import { inThirdPerson } from '../third-person.js';
import { IMPORTANCE, durable, since, stated } from './rule.js';
import type { Rule } from './rule.js';

const TASTE = new Set([
  'like',
  'love',
  'enjoy',
  'adore',
  'hate',
  'dislike',
  'detest',
  'loathe',
  'prefer',
  'stand',
  'bear',
  'tolerate',
]);
const DIET = new Set(['eat', 'drink', 'smoke', 'avoid']);
const FOOD =
  /\b(?:meat|dairy|sugar|gluten|alcohol|caffeine|carbs|coffee|nuts|pork|beef|fish|shellfish|wheat|soy|eggs?|salt|milk|cheese|bread|fried food|processed food|spicy food|red meat|seafood)\b/i;
/** Reactions to what was just said, and requests in the clothes of a taste. */
const REACTION =
  /^(?:not to\b|to (?:think|look|wait|know|see|hear|ask|have|get|understand|thank|say|be|do|add|make|change|create)\b|the (?:idea|way|sound|fact|result|look of|answer)|(?:it|that|this|how|when|if|you|your|having to|being told|waiting|seeing|this kind)\b)|\b(?:bug|bugs|error|errors|exception|stack ?trace|build fails|this|that (?:one|idea))\b/i;

const SHAPE =
  '((?:(?:short|long|numbered|plain|full) )?(?:bullet points|bullets|lists?|tables|prose|paragraphs|text|examples|code|sentences|explanations|summaries))';
/** Said of answers; "I'd rather walk than drive" is of today. */
const RATHER = new RegExp(`^I would rather (?:have|get|see|read) ${SHAPE} (?:than|instead of|over) ${SHAPE}$`, 'i');

/** Likes, dislikes and preferences, and what the user does not eat or drink. */
export const tastes: Rule = ({ predicate, additional, renewed, text, calendar }) => {
  const [, form, other] = RATHER.exec(text) ?? [];
  if (form !== undefined)
    return { content: `Prefers ${form} to ${other}`, kind: 'preference', importance: IMPORTANCE.preference };
  if (/^I would (?:rather|prefer)\b/.test(text)) return null;
  const nobodysThing =
    /^(?:the )?([\p{L}][\p{L} -]{1,30}) (?:is|are) (?:not (?:really )?|no longer )my (?:thing|cup of tea)(?: any ?more| any longer)?$/iu.exec(
      text,
    );
  const thing = durable(nobodysThing?.[1] ?? '', 4);
  if (thing !== null)
    return { content: `Does not like ${inThirdPerson(thing)}`, kind: 'preference', importance: IMPORTANCE.preference };
  const grownOn = durable(
    /^(?!(?:the|this|that|my|it) )([\p{L}][\p{L} -]{1,30}) (?:(?:has|have) (?:really )?grown|grew) on me$/iu.exec(
      text,
    )?.[1] ?? '',
    4,
  );
  if (grownOn !== null && !REACTION.test(grownOn))
    return { content: `Likes ${inThirdPerson(grownOn)}`, kind: 'preference', importance: IMPORTANCE.preference };
  if (!predicate) return null;
  const { verb, rest, negated, unable } = predicate;
  // What one does not mind is worth a word where one did.
  if (verb === 'mind' || verb === 'care') {
    const what = durable(rest, 8);
    const isTold =
      verb === 'care' ? /^for /i.test(rest) : /\b(?:any ?more|any longer|no longer|now|these days)\b/i.test(text);
    return negated && isTold && what !== null && !REACTION.test(what.replace(/^for /i, ''))
      ? { content: stated(predicate, what), kind: 'preference', importance: IMPORTANCE.preference }
      : null;
  }
  if (TASTE.has(verb)) {
    if ((verb === 'stand' || verb === 'bear' || verb === 'tolerate') && !negated) return null;
    // "Cannot stand up", "cannot stand on one leg": on one's feet.
    if (
      verb === 'stand' &&
      /^(?:up|on|in|at|by|by it|still|straight|upright|for (?:long|more|hours|\d)|back|down|out|here|there|next)\b/i.test(
        rest,
      )
    )
      return null;
    const what = durable(
      rest.replace(/\s+(?:a lot|very much|so much|the most|best|most of all|at all|more than anything)$/i, ''),
      12,
    );
    if (what === null || REACTION.test(what)) return null;
    const kind = 'preference' as const;
    return { content: stated(predicate, what, additional && !negated), kind, importance: IMPORTANCE.preference };
  }
  if (verb === 'have' && unable) {
    const what = durable(rest, 2);
    return what !== null && FOOD.test(what)
      ? { content: stated(predicate, what), kind: 'fact', importance: IMPORTANCE.health }
      : null;
  }
  if (DIET.has(verb)) {
    const what = durable(rest.replace(/,? instead(?: now)?$/i, ''), 8);
    if (verb === 'smoke' && (rest === '' || what !== null))
      return { content: stated(predicate, what ?? ''), kind: 'fact', importance: IMPORTANCE.fact };
    if (
      what === null ||
      /^to\b|\b(?:there|here|lunch|dinner|breakfast|now|anything|enough|much|myself)\b/i.test(what)
    ) {
      return rest === '' && negated && verb === 'drink'
        ? { content: 'Does not drink', kind: 'fact', importance: IMPORTANCE.fact }
        : null;
    }
    if (verb === 'avoid' && !FOOD.test(what)) return null;
    return {
      content: calendar.absolute(since(negated || kindOfTool(what) === null ? null : renewed, stated(predicate, what))),
      kind: negated || verb === 'avoid' ? 'preference' : 'fact',
      importance: IMPORTANCE.preference,
    };
  }
  const gaveUp =
    /^I (?:have )?(?:given up|gave up|quit) ((?:eating )?(?:meat|alcohol|smoking|sugar|coffee|dairy|gluten|caffeine|carbs|fish|pork|drinking|cigarettes))(?: .*)?$/i.exec(
      text,
    );
  if (gaveUp) {
    const what = (gaveUp[1] ?? '').toLowerCase();
    const content =
      what === 'smoking' || what === 'cigarettes'
        ? 'Does not smoke'
        : what === 'drinking'
          ? 'Does not drink alcohol'
          : ['alcohol', 'coffee', 'caffeine'].includes(what)
            ? `Does not drink ${what}`
            : `Does not eat ${what.replace(/^eating /, '')}`;
    return { content, kind: 'fact', importance: IMPORTANCE.fact };
  }
  const diet = /^(?:on|following|follow|eat) (an? (?:strict )?(?:[\p{L}\d_-]+ ){1,2}diet)$/iu.exec(
    verb === 'be' ? rest : `${verb} ${rest}`,
  );
  if (diet)
    return {
      content: `${negated ? 'Does not follow' : 'Follows'} ${diet[1]}`,
      kind: 'fact',
      importance: IMPORTANCE.health,
    };
  const isOver = negated && /\b(?:any ?more|any longer|no longer)\b/i.test(text);
  if (
    (verb === 'wear' || (verb === 'need' && isOver)) &&
    /^(?:(?:my )?glasses|contact lenses|contacts|hearing aids|a hearing aid|a hijab|a turban)$/i.test(rest)
  ) {
    return {
      content: stated({ ...predicate, verb: 'wear' }, rest.replace(/^my /i, '')),
      kind: 'fact',
      importance: IMPORTANCE.fact,
    };
  }
  const supporter =
    verb === 'be'
      ? /^an? (?:(?:huge|big|lifelong) )?((?:\p{Lu}[\p{L}\d&.'-]* ?){1,3}(?:fan|supporter))$/u.exec(rest)
      : null;
  if (supporter)
    return { content: stated(predicate, `a ${supporter[1]}`), kind: 'preference', importance: IMPORTANCE.preference };
  if (verb === 'be') {
    const fan =
      /^(?:an? )?(?:(?:huge|big|massive|great|avid|real|lifelong|die-hard) )?(?:fan of|fond of|keen on|into|passionate about|obsessed with|crazy about) (.+)$/i.exec(
        rest,
      );
    if (fan) {
      const what = durable(fan[1] ?? '', 8);
      if (what === null || REACTION.test(what) || unable || /^(?:production|a|an|trouble|the)\b/i.test(what))
        return null;
      return {
        content: `${negated ? 'Does not like' : additional ? 'Also likes' : 'Likes'} ${what}`,
        kind: 'preference',
        importance: IMPORTANCE.preference,
      };
    }
  }
  return null;
};
