import { canonicalValue } from '../../../model/statement.js';
import type { Statement } from '../../../model/statement.js';
import { PARTNER } from './excludes.js';
import { covers, sameValue, undated } from './values.js';

/** What a thing that is sold was. */
const HAD = new Set(['drive', 'ride', 'own', 'have', 'car', 'laptop', 'phone']);
/** "The car", of somebody who "Drives a Tesla". */
const CALLED_BY_KIND: Readonly<Record<string, string>> = { drive: 'car', car: 'car', laptop: 'laptop', phone: 'phone' };
const CONSUMED = new Set(['drink', 'eat', 'smoke', 'play', 'use', 'watch']);
/** How, when or how often, where a value would stand: "runs every morning", and not "runs a bakery". */
const MANNER = /^(?:every|each|in|on|at|with|for|to|daily|weekly|twice|once|regularly|often|outside|alone|\d)\b/;
/** What one does for an exam until it is passed. */
const PREPARING =
  /^(?:be (?:preparing|studying|training|learning|revising) for|study for|want to pass|prepare for) (.+)$/;

/**
 * Whether something is over by what was sold, given away, given up, stopped or passed, said by another verb than the one
 * that told of it. Perhaps: of several dogs with names it may have been another.
 */
export function isParted(said: Statement, old: Statement): 'plainly' | 'perhaps' | null {
  if (said.subject !== old.subject || old.negated) return null;
  const value = undated(said.value);
  const same = sameValue(value, old.value) || covers(value, old.value);
  if (said.predicate === 'sell') {
    if (old.predicate === `have ${value}`) return 'perhaps';
    const isOne = same || old.value.endsWith(` ${value}`) || CALLED_BY_KIND[old.predicate] === value;
    return HAD.has(old.predicate) && isOne ? 'plainly' : null;
  }
  if (said.predicate === 'lose') return old.predicate.startsWith('have ') && old.value === value ? 'plainly' : null;
  if (said.predicate === 'break up') return partsFrom(value, old);
  if (said.predicate === 'call off')
    return value === 'engagement' && old.predicate === 'marital status' && old.value === 'engaged' ? 'plainly' : null;
  if (said.predicate === 'pay off')
    return old.predicate === 'have' && (same || old.value.endsWith(` ${value}`)) ? 'plainly' : null;
  if (said.negated && said.predicate === 'play' && old.predicate === 'be')
    return [`learning ${value}`, `learning to play ${value}`].includes(old.value) ? 'plainly' : null;
  if (said.predicate === 'give up') return CONSUMED.has(old.predicate) && same ? 'plainly' : null;
  if (said.predicate === 'pass') {
    const aim = canonicalValue(PREPARING.exec(`${old.predicate} ${old.value}`)?.[1] ?? '');
    return aim !== '' &&
      (aim === value || aim.endsWith(` ${value}`) || aim.startsWith(`${value} `) || value.endsWith(` ${aim}`))
      ? 'plainly'
      : null;
  }
  if (!said.negated || said.predicate === 'be' || said.predicate === 'have') return null;
  const often = canonicalValue(old.predicate).startsWith(`${`${said.predicate} ${value}`.trim()} times `);
  if (often) return 'plainly';
  if (value !== '') return null;
  const measured = old.predicate.startsWith(`${said.predicate} `) && /^\d/.test(old.value);
  return measured || (said.predicate === old.predicate && MANNER.test(old.value)) ? 'plainly' : null;
}

/** Whose partner, is told by the name; where none is known, one may be meant who has none yet. */
function partsFrom(whom: string, old: Statement): 'plainly' | 'perhaps' | null {
  const isBond =
    (old.predicate === 'marital status' && /^(?:engaged|married|in a relationship)$/.test(old.value)) ||
    new RegExp(`^have (?:${PARTNER})$`).test(old.predicate);
  if (!isBond) return null;
  const name = old.predicate === 'marital status' ? old.detail.replace(/^(?:to|with) /, '') : old.value;
  return name === whom ? 'plainly' : name === '' ? 'perhaps' : null;
}
