/** Questions that seek advice or a reason. What helps with them is seldom named in them: the diet, for "what should I cook?". */
const OPEN =
  /^(?:why|should|can|could|may|would|how (?:do|can|should|could|would|did)|(?:what|which|where|when|who)(?: \w+)? (?:should|could|can|would)|is it)\b/i;

const QUESTION_WORDS =
  /^(?:why|how|what|which|where|when|who)(?: \w+){0,2}? (?=(?:am|is|are|was|were|do|does|did|should|can|could|would|may|have|has)\b)/i;

const INVERTED =
  /^(am|is|are|was|were|do|does|did|should|can|could|would|may|have|has) (i|we|my \w+|our \w+|it|you)\b ?(.*)$/is;

const KEPT_IN_STATEMENTS = /^(?:am|is|are|was|were|have|has)$/;

/**
 * What an open question takes for granted: "Why am I being rate limited?" says "I am being rate limited". As a
 * statement it is nearer to the statements that are remembered, by about 0.08. Null for a question that looks something
 * up ("Where do I live?"): there, a memory that answers it is near as it is, and nearer ones would be chance.
 */
export function presupposedStatement(question: string): string | null {
  if (!OPEN.test(question)) return null;
  const parts = INVERTED.exec(question.replace(/[?!.\s]+$/u, '').replace(QUESTION_WORDS, ''));
  if (!parts) return null;
  const [, auxiliary = '', subject = '', rest = ''] = parts;
  const verb = auxiliary.toLowerCase();
  const start = subject.toLowerCase() === 'i' ? 'I' : subject.charAt(0).toUpperCase() + subject.slice(1);
  return `${start}${KEPT_IN_STATEMENTS.test(verb) ? ` ${verb}` : ''} ${rest}`.trim();
}
