/** How something came to be over, which tells what it was: one drops an instrument, leaves a choir, finishes a thesis. */
export type HowDone = 'given up' | 'finished' | 'left' | 'gone';

export interface DoneWith {
  readonly what: string;
  readonly how: HowDone;
}

/** The sentence for something that is over. Only consolidation reads it: where nothing is known of it, there is nothing to keep. */
export function doneWith(what: string, how: HowDone): string {
  return `Is done with ${what}, which is ${how}`;
}

const DONE_WITH = /^Is done with (.+), which is (given up|finished|left|gone)$/;

/** Null for any other sentence. */
export function readDoneWith(content: string): DoneWith | null {
  const [, what, how] = DONE_WITH.exec(content) ?? [];
  return what === undefined ? null : { what, how: how as HowDone };
}
