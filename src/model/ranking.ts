import { words } from './search-text.js';

/** Two texts of the same words in the same order say the same, whatever their case and punctuation. */
function sameWords(content: string): string {
  return words(content).join(' ') || content;
}

/** Equal for texts of the same words: every letter stands in a word. Far cheaper than the words, which rarely have to be looked at. */
function letters(content: string): string {
  return content
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, '');
}

/** Keeps the first of each group of near-duplicates; the list comes best first. */
export function foldNearDuplicates<T extends { readonly memory: { readonly content: string } }>(
  ranked: readonly T[],
): T[] {
  const seen = new Map<string, string[]>();
  return ranked.filter(({ memory: { content } }) => {
    const key = letters(content);
    const alike = seen.get(key) ?? [];
    if (alike.some((earlier) => sameWords(earlier) === sameWords(content))) return false;
    seen.set(key, [...alike, content]);
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
