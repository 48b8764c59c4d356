import { withoutOpening } from './openings.js';
import { partsOf } from './parts.js';

const QUESTION_START =
  /^(?:what|which|who|whom|whose|where|when|why|how|do|does|did|is|are|was|were|am|can|could|would|will|should|shall|may|has|have|any|guess|isn't|aren't|don't|can't)\b/i;
const INVERTED =
  /^(?:do|did|am|was|have|had|can|could|would|will|should|shall|may|must|is|are|does|has)\s+(?:I|my|you|not I|there|it|this|that|the|he|she|they)\b/i;
const TAG_QUESTION =
  /^(?:right|ok|okay|correct|no|yes|yeah|huh|eh|true|is not it|is it not|do not I|am I not|do I not|remember|do I|am I|are not I|got it|you know|is that (?:ok|right|fine|clear|correct)|does that matter|do you (?:remember|know))\b/i;

/** Whether a part of a sentence asks; in a sentence that ends in a question mark already its first word tells. */
export function asks(part: string, inQuestion: boolean): boolean {
  return (
    QUESTION_START.test(part) &&
    (INVERTED.test(part) || inQuestion || /^(?:what|which|who|where|when|why|how|guess)\b/i.test(part))
  );
}

/** "I live in Rome, what should I wear?" keeps its first half; "I live in Rome, right?" keeps nothing. */
export function beforeQuestion(parts: readonly string[], text: string): string[] {
  const comma = text.lastIndexOf(', ');
  if (parts.length === 1 && comma > 0) {
    const tail = withoutOpening(text.slice(comma + 2).replace(/^(?:so|and|but)\s+/i, ''));
    const head = text.slice(0, comma);
    if (QUESTION_START.test(tail) && !TAG_QUESTION.test(tail) && !QUESTION_START.test(head)) {
      return partsOf(head);
    }
    return [];
  }
  const last = parts.at(-1) ?? '';
  const tail = withoutOpening(last);
  const tailAfterComma = last.slice(last.lastIndexOf(', ') + 2);
  if (
    TAG_QUESTION.test(tail) ||
    TAG_QUESTION.test(tailAfterComma) ||
    !QUESTION_START.test(tail) ||
    QUESTION_START.test(parts[0] ?? '')
  )
    return [];
  return parts.slice(0, -1);
}
