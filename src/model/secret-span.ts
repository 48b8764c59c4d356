/** A stretch of text that is a secret, in UTF-16 units: `text.slice(start, end)`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}
