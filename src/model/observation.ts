import type { AppliedDecision } from './decision.js';

export type ObservationStatus =
  'pending' | 'running' | 'applied' | 'nothing' | 'rejected' | 'disabled' | 'failed' | 'dead';

/** Where a turn stands. */
export interface Observation {
  readonly turnId: string;
  readonly status: ObservationStatus;
  /** The same turn had been handed in before. */
  readonly duplicate: boolean;
  readonly decisions: readonly AppliedDecision[];
  /** A class of fault (`PROVIDER_FAILED:timeout`), never a provider's text. */
  readonly error: string | null;
}
