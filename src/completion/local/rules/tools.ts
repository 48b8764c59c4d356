import { MONTHS } from '../../../model/months.js';
import { kindOfTool } from '../../../model/counterparts.js';
import { durable, fact, since, stated } from './rule.js';
import type { Rule } from './rule.js';

/** "-ing" or base verbs of using and building with something named. */
const HOSTED = /^(?:my [\p{L}\d_ -]{2,24} )?((?:on|to|with|at|in) .+)$/iu;
const WHEN = `(?:,? (?:instead|last|this|yesterday|recently|today|now|these days|because|for (?:my|all|every)|in (?:${MONTHS}|\\d{4})|(?:an?|two|three|a few|\\d+) (?:days?|weeks?|months?|years?) ago)\\b.*)?$`;
const LATELY = '^I (?:have )?(?:just |recently |finally |now |since )*';
const SWITCHED = new RegExp(
  `${LATELY}(?:switched|migrated|moved|transitioned|converted|changed|upgraded|went(?: back)?)(?: (?:my|the|all my|everything)(?: [\\p{L}\\d_-]+){0,3})?(?: over| on| back)?(?: from (.+?))?(?: over| on| back)? to (.+?)${WHEN}`,
  'iu',
);
/** "I replaced Vim with Helix", "I ditched Chrome for Firefox". */
const SWAPPED = new RegExp(
  `${LATELY}(?:replaced|swapped|ditched|dropped|traded(?: in)?|exchanged|gave up|given up) (.+?) (?:with|for|by|in favou?r of) (.+?)${WHEN}`,
  'iu',
);
const INSTEAD = /,? instead(?: now)?$/i;
/** Products that people write in small letters, and that could be taken for a town after "moved to". */
const KNOWN_TOOL =
  /^(?:postgres|postgresql|mysql|sqlite|mongodb|redis|docker|kubernetes|terraform|react|vue|angular|svelte|next\.?js|node\.?js|typescript|javascript|python|rust|golang|java|kotlin|swift|ruby|rails|django|flask|nestjs|express|fastify|graphql|prisma|typeorm|vim|neovim|emacs|vscode|vs code|intellij|linux|ubuntu|debian|arch|fedora|windows|macos|android|ios|iphone|git|github|gitlab|jira|notion|slack|figma|heroku|vercel|netlify|aws|gcp|azure|render|railway|fly\.io|cloudflare|tailwind|jest|vitest|pnpm|yarn|npm|bun|deno|excel|zsh|fish|bash|tmux|linear|teams|asana|trello|digitalocean|hetzner|netlify|google cloud|cursor|zed|supabase|firebase|obsidian|spotify)\b/i;
const NAMED = /^(?:[\p{Lu}\d@.]|[\p{Ll}]+[\p{Lu}.\d])/u;
const GENERAL_TOOL =
  /^(?:an? (?:mac|macbook|iphone|android phone|pc|standing desk|wheelchair|hearing aids?|screen reader|cpap|kindle|linux|windows|ergonomic keyboard|mechanical keyboard|dvorak|trackball)\b|(?:dark mode|light mode|dvorak|metric(?: units)?|imperial units|a screen reader|hearing aids|tabs|spaces|they\/them|she\/her|he\/him)\b)/i;
const MODE = /^(?:dark|light) mode$/i;
const OWN = /^(?:my|the|an?) /i;
/** "My old phone": which one, nobody knows. */
const OLD_ONE = /^my (?:old|previous|last) [a-z]+$/i;
/** What people do and play, by its name. */
const DONE =
  /^(?:(?:running|jogging|swimming|cycling|biking|walking|hiking|climbing|bouldering|rowing|skiing|surfing|dancing|boxing|weightlifting|yoga|pilates|crossfit|karate|judo|tennis|football|soccer|basketball|volleyball|badminton|golf|chess|hockey|rugby|squash|padel|pickleball|guitar|bass|piano|violin|cello|flute|drums|saxophone|trumpet|ukulele|smoking|vaping)$)/i;
/** Products are named; "the debugger" or "a loop" is what the user has at hand just now. */
const AT_HAND =
  /\b(?:here|wrong|same|this|that|function|method|loop|variable|following|to (?:get|fix|find|call|debug|test|print|see)|error|placeholder|as (?:a|the|an) (?:example|test)|as (?:a|the) (?:test|workaround))\b/i;

/** Tools, services and languages that the user works with. */
export const tools: Rule = ({ text, predicate, additional, renewed, english }) => {
  const switched = SWITCHED.exec(text) ?? SWAPPED.exec(text);
  if (switched) {
    const from =
      switched[1] === undefined || OLD_ONE.test(switched[1]) ? undefined : durable(switched[1].replace(OWN, ''), 3);
    const to = durable((switched[2] ?? '').replace(OWN, ''), 3);
    if (to === null || from === null || AT_HAND.test(to) || english.isFirstName(to) || /day$/.test(to)) return null;
    // Languages that people speak are learned.
    if (from !== undefined && english.isDemonym(from) && english.isDemonym(to))
      return fact(`Switched from ${from} to ${to}`);
    const kind = kindOfTool(to);
    // "Went back to Rome", "moved to Lisbon": what people do between towns, too.
    const isMove = /^I (?:[\p{L}\d_]+ )*?(?:moved|went|changed)\b/iu.test(text);
    if (isMove && kind === null && !MODE.test(to) && !KNOWN_TOOL.test(to) && !KNOWN_TOOL.test(from ?? '')) return null;
    if (MODE.test(to) && isMove) return fact(`Uses ${to.toLowerCase()}`);
    // "Upgraded to Business" is a plan, where it is no known thing; Android is none to carry, either.
    if (/\bupgraded\b/.test(text) && ((kind === null && !KNOWN_TOOL.test(to)) || /^android\b/i.test(to))) return null;
    if (isProduct(to)) return fact(from === undefined ? `Switched to ${to}` : `Uses ${to} instead of ${from}`);
    // "From coffee to tea", "from running to swimming": no product, but known on both sides.
    if (from !== undefined && ((kind !== null && kindOfTool(from) === kind) || (DONE.test(from) && DONE.test(to))))
      return fact(`Switched from ${from} to ${to}`);
    return from === undefined && kind !== null && /^I (?:[\p{L}\d_]+ )*?switched\b/iu.test(text)
      ? fact(`Switched to ${to}`)
      : null;
  }
  if (!predicate) return null;
  const { verb, rest, negated } = predicate;
  const doing =
    verb === 'be'
      ? /^(using|deploying|hosting|running|coding|programming|developing|building) (.+)$/i.exec(rest)
      : null;
  const base = doing
    ? {
        using: 'use',
        deploying: 'deploy',
        hosting: 'host',
        running: 'run',
        coding: 'code',
        programming: 'program',
        developing: 'develop',
        building: 'build',
      }[doing[1]?.toLowerCase() ?? '']
    : verb;
  const object = doing ? (doing[2] ?? '') : rest;

  if (base === 'know' && KNOWN_TOOL.test(object)) {
    const what = durable(object, 5);
    return what === null || /\b(?:is|are|how|about|well enough|nothing)\b/i.test(what)
      ? null
      : fact(stated(predicate, what));
  }
  if (base === 'use') {
    const what = durable(object.replace(INSTEAD, ''), 9);
    if (what === null || AT_HAND.test(what) || !(isProduct(what) || GENERAL_TOOL.test(what)) || /^I\b/.test(what))
      return null;
    const using = stated({ verb: 'use', rest: what, negated, unable: false }, what, additional && !negated);
    // "Light mode now" is one of two, and needs no word for it.
    return fact(since(negated || additional || !isProduct(what) ? null : renewed, using));
  }
  if (base === 'deploy' || base === 'host' || base === 'run') {
    const hosted = HOSTED.exec(object);
    const what = hosted ? durable(object, 9) : null;
    const platform = /\b(?:on|to|with|at|in) (.+)$/i.exec(what ?? '')?.[1] ?? '';
    if (
      what === null ||
      AT_HAND.test(what) ||
      !isProduct(platform) ||
      /^(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)/.test(platform)
    )
      return null;
    return fact(
      stated(
        { verb: base, rest: what, negated, unable: false },
        what.replace(/^to /i, 'on ').replace(/^(my .+?) to /i, '$1 on '),
        additional && !negated,
      ),
    );
  }
  if (
    base === 'code' ||
    base === 'program' ||
    base === 'develop' ||
    base === 'write' ||
    base === 'build' ||
    base === 'work'
  ) {
    const language =
      /^(?:(?:mostly|mainly|my (?:code|apps?|services?) |software |code |apps |everything )?(?:in|with) )(.+)$/i.exec(
        object,
      );
    const what = language ? durable(object, 8) : null;
    if (what === null || !isProduct(language?.[1] ?? '') || AT_HAND.test(what)) return null;
    return fact(stated({ verb: base, rest: what, negated, unable: false }, what, additional && !negated));
  }
  return null;
};

function isProduct(name: string): boolean {
  return NAMED.test(name) || KNOWN_TOOL.test(name);
}
