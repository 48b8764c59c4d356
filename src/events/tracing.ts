import type { MemoryEventMap, TelemetryEventName } from './event-map.js';

/** A call of a store that is a database. */
export interface DatabaseCall {
  /** OpenTelemetry's `db.system.name`. */
  readonly system: string;
  readonly operation: 'SELECT' | 'TRANSACTION';
  readonly table: string;
}

/** Follows work while it lasts: what runs inside `work` is seen as part of it. Changes neither its result nor its time. */
export interface Tracing {
  /**
   * Work that ends in a telemetry event.
   * @param begun what is known of the event before
   * @param work calls `ended` with the event's payload
   */
  follow<N extends TelemetryEventName, T>(
    name: N,
    begun: Partial<MemoryEventMap[N]>,
    work: (ended: (payload: MemoryEventMap[N]) => void) => Promise<T>,
  ): Promise<T>;
  inDatabase<T>(call: DatabaseCall, work: () => Promise<T>): Promise<T>;
}

/** For apps without a tracer. */
export const noTracing: Tracing = {
  follow: (_name, _begun, work) => work(() => undefined),
  inDatabase: (_call, work) => work(),
};
