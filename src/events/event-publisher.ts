import type { MemoryEventMap, MemoryEventName } from './event-map.js';

/** Takes events out. Called after commit; must not throw and must not wait for listeners. */
export interface EventPublisher {
  publish<N extends MemoryEventName>(name: N, payload: MemoryEventMap[N]): void;
}
