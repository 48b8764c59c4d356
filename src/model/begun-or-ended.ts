/** Words that tell of a beginning or an end, in the plain form that tells of the state after it. */
export interface Rewording {
  /** With the verb that is meant in its base form: "start eating fish again" is "eat fish". */
  readonly words: string;
  readonly negated: boolean;
}

const BEGUN = 'start|started|begin|began|begun|resume|resumed|take up|took up|taken up';
const GROWN = 'come|came|grow|grew|grown|start|started|begin|began|begun|learn|learned|learnt';
const ENDED = 'stop|stopped|quit|give up|gave up|given up';

/**
 * "Has taken up rowing", "has come to like olives", "has given up smoking", "cancelled the gym membership". Null where the
 * words tell of neither.
 * @param words after the subject, the finite verb in its base form
 * @param base the verb to which a participle's stem belongs ("runn" -> "run")
 */
export function begunOrEnded(words: string, base: (stem: string) => string): Rewording | null {
  const begun = new RegExp(`^(?:have )?(?:${BEGUN}) ([a-z]+)ing\\b ?(.*?)(?: again)?$`, 'i').exec(words);
  if (begun) return { words: `${base(begun[1] ?? '')} ${begun[2]}`.trim(), negated: false };
  const grown = new RegExp(`^(?:have )?(?:${GROWN}) to ((?:like|love|enjoy|eat|drink) .+?)(?: again)?$`, 'i').exec(
    words,
  );
  if (grown) return { words: grown[1] ?? '', negated: false };
  const ended = new RegExp(`^(?:have )?(?:${ENDED}) ([a-z]+)ing\\b ?(.*)$`, 'i').exec(words);
  if (ended) return { words: `${base(ended[1] ?? '')} ${ended[2]}`.trim(), negated: true };
  const cancelled =
    /^(?:have )?(?:cancel|cancelled|canceled) (?:the |their |an? )?(.+ (?:subscription|membership|account|plan|licen[sc]e))$/i.exec(
      words,
    );
  return cancelled ? { words: `have a ${cancelled[1]}`, negated: true } : null;
}
