import { performance } from 'node:perf_hooks';
import { EngramError } from '../errors/engram-error.js';
import { ProviderError } from '../errors/provider-error.js';
import type { MemoryEventMap, TelemetryEventName } from '../events/event-map.js';
import type { Scope } from '../model/scope.js';
import { answeredAtOnce } from './answered-at-once.js';
import type { MemoryContext } from './memory-context.js';

type Common = 'durationMs' | 'store' | 'scopeId' | 'error';
type Detail<N extends TelemetryEventName> = Omit<MemoryEventMap[N], Common>;

/** A class of fault for events and turn rows: a code and, for a provider, its fault. Never a message. */
export function errorClass(error: unknown): string {
  if (error instanceof ProviderError) return `${error.code}:${error.fault}`;
  if (error instanceof EngramError) return error.code;
  return 'INTERNAL';
}

/** What the app calls the scope by; nothing where its function fails: no call is to fail for what is told of it. */
function scopeId({ scopeIdentifier }: MemoryContext, scope: Scope): { scopeId?: string } {
  try {
    const id: unknown = answeredAtOnce(scopeIdentifier?.(scope), 'scopeIdentifier', 'It must return a text');
    return typeof id === 'string' ? { scopeId: id } : {};
  } catch {
    return {};
  }
}

/**
 * Runs `work` and publishes one telemetry event about it, whether it succeeds or throws.
 * `detail` is what the event says when nothing came back; `describe` adds to it from the result.
 */
export async function measured<N extends TelemetryEventName, T>(
  context: MemoryContext,
  name: N,
  scope: Scope,
  detail: Detail<N>,
  work: () => Promise<T>,
  describe: (result: T) => Partial<Detail<N>>,
): Promise<T> {
  const begun = {
    ...detail,
    store: context.store.adapter,
    ...scopeId(context, scope),
  } as unknown as Partial<MemoryEventMap[N]>;
  return context.tracing.follow(name, begun, async (ended) => {
    const start = performance.now();
    const publish = (outcome: Partial<Detail<N>> | { error: string }): void => {
      const payload = { ...begun, ...detail, ...outcome, durationMs: performance.now() - start } as MemoryEventMap[N];
      context.events.publish(name, payload);
      ended(payload);
    };
    let result: T;
    try {
      result = await work();
    } catch (error) {
      publish({ error: errorClass(error) });
      throw error;
    }
    publish(describe(result));
    return result;
  });
}
