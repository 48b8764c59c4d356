import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import { answeredAtOnce } from './answered-at-once.js';

/** Counts tokens for `maxTokens`. */
export interface TokenCounter {
  count(text: string): number;
}

/** Four UTF-8 bytes a token: OpenAI's rule of thumb for English; it overcounts CJK, so a budget is kept, never passed. */
export const approximateTokenCounter: TokenCounter = {
  count: (text) => Math.ceil(Buffer.byteLength(text, 'utf8') / 4),
};

/** The counter of a host. Its `count` throws InvalidOptionsError for what is no count: with it every budget would hold. */
export function checkedTokenCounter(counter: TokenCounter): TokenCounter {
  const rule = 'Option tokenCounter: count() must return a number of tokens from 0';
  return {
    count: (text) => {
      const tokens: unknown = answeredAtOnce(counter.count(text), 'tokenCounter', rule);
      if (typeof tokens === 'number' && tokens >= 0) return tokens;
      throw new InvalidOptionsError('tokenCounter', `${rule}.`);
    },
  };
}
