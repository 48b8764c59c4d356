import type { MemoryEventMap, MemoryEventName } from '../events/event-map.js';
import type { EventPublisher } from '../events/event-publisher.js';

export type RecordedEvent = {
  [N in MemoryEventName]: { readonly name: N; readonly payload: MemoryEventMap[N] };
}[MemoryEventName];

/** A double for tests: keeps the events in the order they were published. */
export class RecordingEventPublisher implements EventPublisher {
  readonly events: RecordedEvent[] = [];

  publish<N extends MemoryEventName>(name: N, payload: MemoryEventMap[N]): void {
    this.events.push({ name, payload } as RecordedEvent);
  }

  /** Payloads of one event, in order. */
  of<N extends MemoryEventName>(name: N): MemoryEventMap[N][] {
    return this.events.filter((event) => event.name === name).map(({ payload }) => payload as MemoryEventMap[N]);
  }
}
