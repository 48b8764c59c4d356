import { OnEvent } from '@nestjs/event-emitter';
import type { MemoryEventMap, MemoryEventName } from '../event-map.js';

/** Nest's own options of `@OnEvent`, but for the errors: what a listener throws is logged by its class only. */
export type OnMemoryEventOptions = Omit<NonNullable<Parameters<typeof OnEvent>[1]>, 'suppressErrors'>;

/** Puts the decorator on methods that take the payload of that event, or less. */
export type MemoryEventDecorator<N extends MemoryEventName> = <
  Listener extends (payload: MemoryEventMap[N]) => void | Promise<void>,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Listener>,
) => void;

/**
 * `@OnEvent` for our events: in any provider, `@OnMemoryEvent('memory.added') heard(event: MemoryChangedEvent) {}`. Needs
 * `EventEmitterModule.forRoot()`.
 */
export function OnMemoryEvent<N extends MemoryEventName>(
  name: N,
  options: OnMemoryEventOptions = {},
): MemoryEventDecorator<N> {
  return OnEvent(name, { ...options, suppressErrors: false });
}
