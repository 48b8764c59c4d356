import { className } from '../../errors/class-name.js';
import { DeadlineError } from '../../memory/with-deadline.js';

/** Where faults of a broker are told; Nest's `Logger` is one. */
export interface FaultLogger {
  warn(message: string): void;
  log(message: string): void;
}

/** Said without a code, by ioredis and pg. */
const CLOSED = /connection (?:is closed|terminated|ended)|is not queryable/i;
const TOO_LATE = /timeout (?:expired|exceeded)/i;

/** `ECONNREFUSED`, `WRONGPASS`, `TypeError`: what kind of fault it is. Its message may quote addresses or what was sent. */
export function kindOfFault(error: unknown): string {
  if (error instanceof DeadlineError) return 'TIMEOUT';
  if (typeof error !== 'object' || error === null) return 'unknown';
  const { code, message } = error as Partial<Record<'code' | 'message', unknown>>;
  if (typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code)) return code;
  const text = String(message);
  if (CLOSED.test(text)) return 'CLOSED';
  if (TOO_LATE.test(text)) return 'TIMEOUT';
  return /^[A-Z]{4,20}(?= )/.exec(text)?.[0] ?? className(error);
}

/** Nobody answers: the network's codes, and those of a Postgres that starts, stops or has no connection left. */
const OUTAGE = /^(?:TIMEOUT|CLOSED|MaxRetriesPerRequestError|E[A-Z]+|EAI_AGAIN|08\d{3}|57P0[1-3]|53300)$/;

/** Whether a broker is away and will come back by itself; other faults are for a person to mend. */
export function isOutage(error: unknown): boolean {
  return OUTAGE.test(kindOfFault(error));
}

/** BullMQ's way to say that a job is gone, or another worker's meanwhile. A wake-up that is worked twice does no harm. */
export function isOfOneJob(error: unknown): boolean {
  const { code, message } = Object(error) as Partial<Record<'code' | 'message', unknown>>;
  return (typeof code === 'number' && code < 0) || /^could not renew lock for job/.test(String(message));
}

/** Tells of an outage once, and once of each other fault, until the broker answers again: a client that tries to connect fails every second. */
export class FaultLog {
  private readonly told = new Set<string>();

  constructor(
    private readonly adapter: string,
    private readonly logger: FaultLogger,
  ) {}

  failed(error: unknown): void {
    const kind = kindOfFault(error);
    const state = isOutage(error) ? 'outage' : kind;
    if (this.told.has(state)) return;
    this.told.add(state);
    this.logger.warn(
      `The queue ${this.adapter} fails: ${kind}. Turns stay in the table; the sweeper hands them over once it answers.`,
    );
  }

  answered(): void {
    if (this.told.size === 0) return;
    this.told.clear();
    this.logger.log(`The queue ${this.adapter} answers again.`);
  }
}
