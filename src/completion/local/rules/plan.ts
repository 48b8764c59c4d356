import { PLAN_TIER } from '../../../model/plan-tier.js';
import { fact } from './rule.js';
import type { Rule } from './rule.js';

const NAME = "([\\p{L}\\d][\\p{L}\\d+.'-]*(?: [\\p{L}\\d][\\p{L}\\d+.'-]*){0,2}?)";
const PLAN_WORD = '(?:plan|tier|subscription|licen[sc]e|package)';
const ON_PLAN = new RegExp(
  `^(?:on|using|subscribed to|paying for) (?:the |an? )?${NAME} (${PLAN_WORD})(?: (?:of|for|on|with|at) (.+))?$`,
  'iu',
);
const CHANGED = new RegExp(
  `^I (?:have |am )?(?:just |recently |now |already )*(?:switched|switching|upgraded|downgraded|moved|changed|went|migrated|subscribed|signed up)(?: (?:my )?(?:plan|subscription|account))?(?: over)?(?: from (?:the |my |an? )?(.+?))? (?:to|for|onto) (?:the |an? )?${NAME}(?: (${PLAN_WORD}))?(?: (?:on|in|since|last|this|yesterday|today|now|instead)\\b.*)?$`,
  'iu',
);

/** "I'm on the Pro plan", "I switched from the Pro plan to Enterprise": the plan that holds now. */
export const plan: Rule = ({ text, predicate }) => {
  const changed = CHANGED.exec(text);
  if (changed) {
    const [, from = '', to = '', word] = changed;
    const isPlan =
      word !== undefined ||
      new RegExp(`\\b${PLAN_WORD}$`, 'i').test(from) ||
      (PLAN_TIER.test(to) && (from === '' || PLAN_TIER.test(from)));
    return isPlan
      ? fact(`Is on the ${to} ${word ?? /\b(plan|tier|subscription|licen[sc]e|package)$/i.exec(from)?.[1] ?? 'plan'}`)
      : null;
  }
  const named =
    /^my (?:current |new )?(?:plan|tier|subscription) is (?:now )?(?:the )?([\p{L}+]+)(?: plan| tier| one)?$/iu.exec(
      text,
    )?.[1];
  if (named !== undefined && PLAN_TIER.test(named)) return fact(`Is on the ${named} plan`);
  if (!predicate) return null;
  const { verb, rest, negated } = predicate;
  const words =
    verb === 'be' ? rest : verb === 'have' || verb === 'use' ? `using ${rest}` : verb === 'pay' ? `paying ${rest}` : '';
  const on = ON_PLAN.exec(words);
  if (!on) {
    const tier = verb === 'be' ? /^(?:on|paying for|subscribed to) (\p{Lu}[\p{L}+]+)$/u.exec(rest)?.[1] : undefined;
    return tier !== undefined && PLAN_TIER.test(tier) ? fact(`${negated ? 'Is not' : 'Is'} on the ${tier} plan`) : null;
  }
  const [, name = '', word = '', of] = on;
  if (/subscription|licen[sc]e|package/i.test(word) && !name.split(' ').some((part) => PLAN_TIER.test(part)))
    return null;
  if (/^(?:right|wrong|same|new|old|my|your|a|lesson|back-?up|project|test|rollout|following)\b/i.test(name))
    return null;
  return fact(
    `${negated ? 'Is not' : 'Is'} on the ${name} ${word.replace(/subscription|licen[sc]e|package/i, 'plan')}${of ? ` of ${of}` : ''}`,
  );
};
