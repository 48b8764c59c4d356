import { IMPORTANCE, durable } from './rule.js';
import type { Rule } from './rule.js';

/** "I left Siemens", "I cancelled Netflix": something held and does not any more. */
export const endings: Rule = ({ text }) => {
  const job =
    /^I (?:have )?(?:just |recently |finally )*(?:left|quit|resigned from|was fired from|got fired from|was laid off (?:from|by)) (?:my job (?:at|with) )?([\p{Lu}][\p{L}\d&.' -]*)$/u.exec(
      text,
    );
  if (job) {
    const employer = durable((job[1] ?? '').replace(/\s+(?:last|this|in|on|yesterday|today|for|after)\b.*$/i, ''), 4);
    return employer === null
      ? null
      : { content: `Does not work at ${employer}`, kind: 'fact', importance: IMPORTANCE.fact };
  }
  const cancelled =
    /^I (?:have )?(?:just |recently |finally )*(?:cancelled|canceled|ended|stopped) my (.+?)(?: subscription| plan| account)$/i.exec(
      text,
    );
  if (cancelled) {
    const what = durable(cancelled[1] ?? '', 4);
    const noun = /(subscription|plan|account)$/i.exec(text)?.[1]?.toLowerCase() ?? 'subscription';
    return what === null
      ? null
      : {
          content: noun === 'plan' ? `Is not on the ${what} plan` : `Does not have a ${what} ${noun}`,
          kind: 'fact',
          importance: IMPORTANCE.fact,
        };
  }
  return null;
};
