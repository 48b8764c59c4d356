/** Counts tokens for `maxTokens`. */
export interface TokenCounter {
  count(text: string): number;
}

/** Four UTF-8 bytes a token: OpenAI's rule of thumb for English; it overcounts CJK, so a budget is kept, never passed. */
export const approximateTokenCounter: TokenCounter = {
  count: (text) => Math.ceil(Buffer.byteLength(text, 'utf8') / 4),
};
