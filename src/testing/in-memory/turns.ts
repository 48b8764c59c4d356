import type { TurnRecord } from '../../storage/memory-store.js';

export interface Turn extends TurnRecord {
  readonly claim: string | null;
  /** Place among the turns of the latest claim. */
  readonly batchNo: number;
  readonly leaseUntil: number;
  readonly runAfter: number;
  /** Null: not held back. */
  readonly notBefore: number | null;
  readonly finishedAt: number | null;
}

/** The scope's runner, because there can be no second one; else its earliest open turn. The rest of a batch stands in line. */
export function headOf(turns: ReadonlyMap<string, Turn>, order?: 'by seq'): Turn | undefined {
  const open = [...turns.values()].filter(isOpen).sort((a, b) => a.seq - b.seq);
  return (order ? undefined : open.find((turn) => turn.status === 'running' && turn.batchNo === 0)) ?? open[0];
}

export function isOpen(turn: Turn): boolean {
  return turn.status === 'pending' || turn.status === 'running' || turn.status === 'failed';
}

export function diedBefore(turn: Turn, moment: Date | null): boolean {
  return turn.status === 'dead' && turn.messages !== null && endedBefore(turn, moment);
}

export function endedBefore(turn: Turn, moment: Date | null): boolean {
  return !isOpen(turn) && moment !== null && turn.finishedAt !== null && turn.finishedAt < moment.getTime();
}

export function toRecord(turn: Turn): TurnRecord {
  const {
    claim: _claim,
    batchNo: _batchNo,
    leaseUntil: _leaseUntil,
    runAfter: _runAfter,
    notBefore: _notBefore,
    finishedAt: _finishedAt,
    ...record
  } = turn;
  return record;
}
