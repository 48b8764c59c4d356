import type { ExtractionInput, TimedMessage } from '../completion/completion.js';
import type { ClaimedTurn } from '../storage/memory-store.js';

export type TakenTurn = Omit<ClaimedTurn, 'following'>;

/** Turns that one claim holds, asked about together. */
export class TurnBatch {
  readonly turns: readonly [TakenTurn, ...TakenTurn[]];
  readonly claim: string;
  /** Number of each turn's first message among those of all. */
  private readonly starts: readonly number[];

  constructor({ following, ...first }: ClaimedTurn) {
    this.turns = [first, ...following];
    this.claim = first.claim;
    let start = 0;
    this.starts = this.turns.map(({ messages }) => {
      const own = start;
      start += messages.length;
      return own;
    });
  }

  /** What a model is asked about: where there are several turns, each message with the time of its own. */
  get input(): ExtractionInput {
    const [{ messages, occurredAt, timeZone }, ...others] = this.turns;
    if (others.length === 0) return { messages, occurredAt, timeZone };
    const timed = this.turns.flatMap((turn) =>
      turn.messages.map((message): TimedMessage => {
        return { ...message, occurredAt: turn.occurredAt, timeZone: turn.timeZone };
      }),
    );
    return { messages: timed, occurredAt, timeZone };
  }

  /** Which turn a message of `input` belongs to, and its number there. */
  locate(messageNo: number): { readonly place: number; readonly messageNo: number } {
    const place = this.starts.findLastIndex((start) => start <= messageNo);
    return { place, messageNo: messageNo - (this.starts[place] ?? 0) };
  }
}
