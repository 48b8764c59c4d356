import type { EarlierMessage, ExtractionInput, TimedMessage } from '../completion/completion.js';
import type { Message } from '../model/message.js';
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
    const context = this.context();
    if (others.length === 0) return { messages, context, occurredAt, timeZone };
    const timed = this.turns.flatMap((turn) =>
      turn.messages.map((message): TimedMessage => {
        return { ...message, occurredAt: turn.occurredAt, timeZone: turn.timeZone };
      }),
    );
    return { messages: timed, context, occurredAt, timeZone };
  }

  /** Which turn a message of `input` belongs to, and its number there. */
  locate(messageNo: number): { readonly place: number; readonly messageNo: number } {
    const place = this.starts.findLastIndex((start) => start <= messageNo);
    return { place, messageNo: messageNo - (this.starts[place] ?? 0) };
  }

  /** Of each turn, but what stands before it already: the turns of one conversation bring each other along. */
  private context(): EarlierMessage[] {
    const shown = new Set<string>();
    const earlier: EarlierMessage[] = [];
    for (const [place, turn] of this.turns.entries()) {
      const before = this.starts[place] ?? 0;
      const fresh = turn.context.filter((message) => !shown.has(sameText(message)));
      earlier.push(...fresh.map(({ role, content }) => ({ role, content, before })));
      for (const message of [...turn.context, ...turn.messages]) shown.add(sameText(message));
    }
    return earlier;
  }
}

function sameText({ role, content }: Message): string {
  return `${role} ${content}`;
}
