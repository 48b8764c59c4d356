/** "I'm", "i dont", "we've" -> the long forms, in which each rule is written once. "We" counts as the user. */
export function expanded(sentence: string): string {
  return sentence
    .replace(/\bi\b/g, 'I')
    .replace(/\b[Ww]e\b/g, 'I')
    .replace(/\bus\b/g, 'me')
    .replace(/\b(?:our|my)\b/gi, 'my')
    .replace(/\bim\b/gi, 'I am')
    .replace(/\bive\b/gi, 'I have')
    .replace(/\bI'm\b|\bI're\b|\bI are\b/gi, 'I am')
    .replace(/\bI've\b/gi, 'I have')
    .replace(/\bI'd\b/gi, 'I would')
    .replace(/\bI'll\b/gi, 'I will')
    .replace(/\bcan'?t\b|\bcan not\b/gi, 'cannot')
    .replace(/\bwon't\b/gi, 'will not')
    .replace(/\bain't\b/gi, 'am not')
    .replace(/\b(do|does|did|is|are|was|were|has|have|had|would|could|should)n'?t\b/gi, '$1 not')
    .replace(
      /\b(my (?:[\p{L}\d_-]+ ){0,2}[\p{L}\d_-]+)'s (?=name is\b|called\b|named\b)/giu,
      (_, owner: string) => `${owner}'s `,
    )
    .replace(/\bname's\b/gi, 'name is')
    .replace(/\bit's\b/gi, 'it is');
}
