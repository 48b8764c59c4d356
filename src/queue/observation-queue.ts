import type { Scope } from '../model/scope.js';
import type { TurnKey } from '../storage/memory-store.js';

/** Applies due turns of one scope, in order. Never throws: a turn's own failure is in its row. */
export type TurnHandler = (key: TurnKey) => Promise<void>;

/**
 * Carries wake-ups, never text. Losing one is harmless: the row is the truth and the sweeper hands it over again; so is
 * carrying one twice. `observationQueueContract` of nestjs-engram/testing holds an adapter to what is said here.
 */
export interface ObservationQueue {
  /** Name for logs and telemetry: `in-process`, `bullmq-redis`. */
  readonly adapter: string;
  /** Hands what was and will be enqueued to the handler. Never called where this process only hands turns in. Does not wait for a broker that is down. */
  start(handler: TurnHandler): Promise<void>;
  /**
   * Never waits for the work, never fails the caller, and gives up on a broker that does not answer within seconds.
   * One call while the scope's handler runs leads to one more run after it: the handler may have looked for turns
   * already. Calls for a scope that waits may be folded into one. The handler calls it too, for what it left undone.
   */
  enqueue(key: TurnKey): Promise<void>;
  /** How many more wake-ups it can take now; the sweeper leaves the others to be found by whoever can. @default any number */
  room?(): number;
  /** How many wake-ups wait to be handed out, for telemetry. Rejects where that cannot be known now. @default unknown */
  depth?(): Promise<number>;
  /** Drops the wake-ups of one scope that wait, for its erasure. Left out where none can be told from the others. Never fails, as `enqueue`. */
  discard?(scope: Scope): Promise<void>;
  /** Waits for the handlers that run, starts none any more, and closes what it opened. */
  stop(): Promise<void>;
}
