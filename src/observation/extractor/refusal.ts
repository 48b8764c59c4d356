/** How models say that they will not answer. To find nothing ("I can't find any facts") is an answer. */
const REFUSING = new RegExp(
  [
    "\\b(?:can(?:['\\u2019]t|not)|won['\\u2019]t|unable to|not able to) (?:help|assist|comply|fulfil|complete|process|continue|provide|share|do (?:that|this|so))",
    '\\b(?:must|have to) (?:decline|refuse)\\b|\\bas an AI\\b',
    '\\btut mir leid\\b.{0,40}\\b(?:kann|darf|geht)\\b|\\blo siento\\b.{0,40}\\bno puedo\\b|\\bdésolée?.{0,40}\\bne (?:peux|puis)\\b|\\bmi dispiace\\b.{0,40}\\bnon posso\\b|\\bdesculpe\\b.{0,40}\\bnão posso\\b',
  ].join('|'),
  'iu',
);
/** A field that says so, with something in it. */
const REFUSING_FIELD = /"(?:refusal|error)"\s*:\s*(?:"[^"]|\{\s*")/;

/** Whether an answer, besides the JSON that it may hold, refuses to answer: its empty list then says nothing. */
export function isRefusal(answer: string): boolean {
  return REFUSING.test(answer) || REFUSING_FIELD.test(answer);
}
