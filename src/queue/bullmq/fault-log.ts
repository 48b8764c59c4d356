import { DeadlineError } from '../../memory/with-deadline.js';

/** Where faults of a broker are told; Nest's `Logger` is one. */
export interface FaultLogger {
  warn(message: string): void;
  log(message: string): void;
}

/** `ECONNREFUSED`, `WRONGPASS`, `TypeError`: what kind of fault it is. Its message may quote addresses or what was sent. */
export function kindOfFault(error: unknown): string {
  if (error instanceof DeadlineError) return 'TIMEOUT';
  if (typeof error !== 'object' || error === null) return 'unknown';
  const { code, message, name } = error as Partial<Record<'code' | 'message' | 'name', unknown>>;
  if (typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code)) return code;
  return /^[A-Z]{4,20}(?= )/.exec(String(message))?.[0] ?? String(name);
}

/** Tells of a fault once, until the broker answers again: a client that tries to connect fails every second. */
export class FaultLog {
  private readonly told = new Set<string>();

  constructor(
    private readonly adapter: string,
    private readonly logger: FaultLogger,
  ) {}

  failed(error: unknown): void {
    const kind = kindOfFault(error);
    if (this.told.has(kind)) return;
    this.told.add(kind);
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
