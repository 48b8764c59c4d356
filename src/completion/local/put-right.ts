import { corrected } from './corrections.js';
import type { Correction } from './corrections.js';
import type { Finding } from './rules/rule.js';

/** A statement that was a slip, and what was meant. */
export interface PutRight {
  readonly wrong: Finding;
  readonly right: Finding;
}

/**
 * The last of the sentences of which a correction makes another statement. Only the very last counts where the correction
 * does not name what was wrong, or has no word that it is one: after "How do I roast almonds?" it may be of that.
 */
export function putRight(
  sentences: readonly string[],
  correction: Correction,
  read: (sentence: string) => readonly Finding[],
): PutRight | null {
  const isPlain = correction.announced && correction.wrong !== null;
  for (const sentence of [...sentences].reverse().slice(0, isPlain ? undefined : 1)) {
    const told = read(sentence);
    const meant = corrected(sentence, correction);
    const found = meant === null ? [] : read(meant);
    const changed = told.flatMap((wrong, index) => {
      const right = found[index];
      return right && right.content !== wrong.content ? [{ wrong, right }] : [];
    });
    if (found.length === told.length && changed.length === 1) return changed[0] ?? null;
  }
  return null;
}

/** What was meant, with the slip that consolidation is to look for: "Is allergic to cashews, not peanuts". */
export function corrective({ wrong, right }: PutRight): Finding {
  const [old, now] = [wrong.content.split(' '), right.content.split(' ')];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter - 1 && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start - 1 && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return { ...right, content: `${right.content}, not ${old.slice(start, old.length - end).join(' ')}` };
}
