import type { Scope } from '../model/scope.js';
import type { TurnKey } from '../storage/memory-store.js';

/** Applies the due turns of one scope, starting with the named one's. Never throws for a turn's own failure: that is in its row. */
export type TurnHandler = (key: TurnKey) => Promise<void>;

/** Carries wake-ups, never text. Losing one is harmless: the row is the truth and the sweeper hands it over again. */
export interface ObservationQueue {
  /** Name for logs and telemetry: `in-process`, `bullmq-redis`. */
  readonly adapter: string;
  start(handler: TurnHandler): Promise<void>;
  /** Never waits for the work, never fails the caller. */
  enqueue(key: TurnKey): Promise<void>;
  /** Drops the wake-ups of one scope that wait, for its erasure. Left out where none can be told from the others. */
  discard?(scope: Scope): Promise<void>;
  /** Finishes or gives back what runs, takes nothing new. */
  stop(): Promise<void>;
}
