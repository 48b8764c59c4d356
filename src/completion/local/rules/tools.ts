import { durable, fact, stated } from './rule.js';
import type { Rule } from './rule.js';

/** "-ing" or base verbs of using and building with something named. */
const HOSTED = /^(?:my [\w -]{2,24} )?((?:on|to|with|at|in) .+)$/i;
const SWITCHED =
  /^I (?:have )?(?:just |recently |finally |now )*(?:switched|migrated|moved|transitioned|converted)(?: (?:my|the|all my|everything)(?: [\w-]+){0,3})?(?: over)?(?: from (.+?))?(?: over)? to (.+?)(?:\s+(?:last|this|yesterday|recently|today|now|because|for (?:my|all|every)|in (?:January|February|March|April|May|June|July|August|September|October|November|December|\d{4}))\b.*)?$/i;
/** Products that people write in small letters, and that could be taken for a town after "moved to". */
const KNOWN_TOOL =
  /^(?:postgres|postgresql|mysql|sqlite|mongodb|redis|docker|kubernetes|terraform|react|vue|angular|svelte|next\.?js|node\.?js|typescript|javascript|python|rust|golang|java|kotlin|swift|ruby|rails|django|flask|nestjs|express|fastify|graphql|prisma|typeorm|vim|neovim|emacs|vscode|vs code|intellij|linux|ubuntu|debian|arch|fedora|windows|macos|android|ios|iphone|git|github|gitlab|jira|notion|slack|figma|heroku|vercel|netlify|aws|gcp|azure|render|railway|fly\.io|cloudflare|tailwind|jest|vitest|pnpm|yarn|npm|bun|deno|excel|zsh|fish|bash|tmux|linear|teams|asana|trello|digitalocean|hetzner|netlify|google cloud|cursor|zed|supabase|firebase|obsidian|spotify)\b/i;
const NAMED = /^(?:[\p{Lu}\d@.]|[\p{Ll}]+[\p{Lu}.\d])/u;
const GENERAL_TOOL =
  /^(?:an? (?:mac|macbook|iphone|android phone|pc|standing desk|wheelchair|hearing aids?|screen reader|cpap|kindle|linux|windows|ergonomic keyboard|mechanical keyboard|dvorak|trackball)\b|(?:dark mode|light mode|dvorak|metric(?: units)?|imperial units|a screen reader|hearing aids|tabs|spaces|they\/them|she\/her|he\/him)\b)/i;
/** Products are named; "the debugger" or "a loop" is what the user has at hand just now. */
const AT_HAND =
  /\b(?:here|wrong|same|this|that|function|method|loop|variable|following|to (?:get|fix|find|call|debug|test|print|see)|error|placeholder|as (?:a|the|an) (?:example|test)|as (?:a|the) (?:test|workaround))\b/i;

/** Tools, services and languages that the user works with. */
export const tools: Rule = ({ text, predicate, additional }) => {
  const switched = SWITCHED.exec(text);
  if (switched) {
    const from = switched[1] === undefined ? undefined : durable(switched[1], 3);
    const to = durable(switched[2] ?? '', 3);
    if (to === null || from === null || !isProduct(to) || AT_HAND.test(to)) return null;
    // "Moved" is what people do between towns, too.
    if (/^I (?:\w+ )*?moved\b/i.test(text) && !KNOWN_TOOL.test(to) && !KNOWN_TOOL.test(from ?? '')) return null;
    return fact(from === undefined ? `Switched to ${to}` : `Uses ${to} instead of ${from}`);
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
    const what = durable(object, 9);
    if (what === null || AT_HAND.test(what) || !(isProduct(what) || GENERAL_TOOL.test(what)) || /^I\b/.test(what))
      return null;
    return fact(stated({ verb: 'use', rest: what, negated, unable: false }, what, additional && !negated));
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
    const what = language ? durable(object, 6) : null;
    if (what === null || !isProduct(language?.[1] ?? '') || AT_HAND.test(what)) return null;
    return fact(stated({ verb: base, rest: what, negated, unable: false }, what, additional && !negated));
  }
  return null;
};

function isProduct(name: string): boolean {
  return NAMED.test(name) || KNOWN_TOOL.test(name);
}
