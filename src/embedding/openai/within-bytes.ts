/** The longest beginning of the text that fits, whole characters only. */
export function withinBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  // A character cut in half at the end decodes to the replacement character, which is dropped.
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD$/u, '');
}
