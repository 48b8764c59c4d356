import { setTimeout as sleep } from 'node:timers/promises';

/** What a broker that answers needs far less than, in milliseconds. */
const CLOSE_WITHIN_MS = 1_000;

/** BullMQ's `Queue` and `Worker`, as far as closing goes. */
export interface Closeable {
  close(): Promise<void>;
  getBackend(): { close(force?: boolean): Promise<void>; disconnect(): Promise<void> };
}

async function settlesInTime(work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(CLOSE_WITHIN_MS, false, { signal: timer.signal }).catch(() => false);
  const settled = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return settled;
}

/**
 * Closes the connections, by force where the broker does not answer: its client would wait for the day when it does, and
 * Nest waits for that when the app stops.
 */
export async function closeSurely(part: Closeable, { answers }: { readonly answers: boolean }): Promise<void> {
  const ignored = (): void => undefined;
  if (!answers) void part.getBackend().close(true).catch(ignored);
  const closing = part.close().catch(ignored);
  if (await settlesInTime(closing)) return;
  const backend = part.getBackend();
  await settlesInTime(Promise.all([backend.close(true).catch(ignored), backend.disconnect().catch(ignored), closing]));
}
