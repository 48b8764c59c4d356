import type { Scope } from '../model/scope.js';
import type { ObservationQueue } from '../queue/observation-queue.js';

/** Losing a wake-up is harmless, however a queue loses it: the row is there and the sweeper finds it. */
export function wakeUp({ queue }: { readonly queue: ObservationQueue }, scope: Scope, turnId: string): void {
  const { tenantId, scope: name } = scope;
  const enqueued = async (): Promise<void> => queue.enqueue({ tenantId, scope: name, turnId });
  enqueued().catch(() => undefined);
}
