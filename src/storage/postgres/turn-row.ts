import type { AppliedDecision } from '../../model/decision.js';
import type { Message } from '../../model/message.js';
import type { ObservationStatus } from '../../model/observation.js';
import type { TurnRecord } from '../memory-store.js';

/** A turn as the statements of this folder return it. */
export interface TurnRow {
  readonly turn_id: string;
  readonly seq: string;
  readonly status: ObservationStatus;
  readonly messages: Message[] | null;
  readonly context: Message[] | null;
  readonly barred: string[] | null;
  readonly messages_hash: Buffer;
  readonly occurred_at: Date;
  readonly said_at: Date;
  readonly time_zone: string | null;
  readonly generation: string;
  readonly attempt: number;
  readonly given_back: number;
  readonly failures: number;
  readonly decisions: AppliedDecision[] | null;
  readonly error_code: string | null;
}

/** Columns of `TurnRow`, with `t` for the turn. */
export const TURN_COLUMNS = `t.turn_id, t.seq, t.status, t.messages, t.context, t.barred, t.messages_hash, t.occurred_at,
  coalesce(t.said_at, least(t.occurred_at, t.created_at)) AS said_at, t.time_zone, t.generation, t.attempt, t.given_back, t.failures, t.decisions, t.error_code`;

export function toTurnRecord(row: TurnRow): TurnRecord {
  return {
    turnId: row.turn_id,
    seq: Number(row.seq),
    status: row.status,
    messages: row.messages,
    context: row.context ?? [],
    barred: row.barred ?? [],
    messagesHash: row.messages_hash,
    occurredAt: row.occurred_at,
    saidAt: row.said_at,
    timeZone: row.time_zone,
    generation: row.generation,
    attempt: row.attempt,
    givenBack: row.given_back,
    failures: row.failures,
    decisions: row.decisions ?? [],
    errorCode: row.error_code,
  };
}
