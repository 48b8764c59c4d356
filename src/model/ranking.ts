import { words } from './search-text.js';

/** Two texts of the same words in the same order say the same, whatever their case and punctuation. */
function sameWords(content: string): string {
  return words(content).join(' ') || content;
}

/** Keeps the first of each group of near-duplicates; the list comes best first. */
export function foldNearDuplicates<T extends { readonly memory: { readonly content: string } }>(
  ranked: readonly T[],
): T[] {
  const seen = new Set<string>();
  return ranked.filter(({ memory }) => {
    const key = sameWords(memory.content);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Takes from the best down what fits into the budget; one that does not fit is passed over, a shorter one after it may. */
export function withinBudget<T extends { readonly memory: { readonly content: string } }>(
  ranked: readonly T[],
  maxTokens: number,
  count: (text: string) => number,
): T[] {
  let left = maxTokens;
  return ranked.filter(({ memory }) => {
    const tokens = count(memory.content);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}
