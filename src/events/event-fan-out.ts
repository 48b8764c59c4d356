import { Logger } from '@nestjs/common';
import { callListener } from './call-listener.js';
import type { MemoryEvent, MemoryEventMap, MemoryEventName } from './event-map.js';
import type { EventPublisher } from './event-publisher.js';

/** Hears every event of this process. Called after commit, in the order of publication; nobody waits for its promise. */
export type MemoryEventListener = (event: MemoryEvent) => void | Promise<void>;

/** The app's publisher, and beside it those who listen without one. One that fails harms nobody else. */
export class EventFanOut implements EventPublisher {
  private readonly logger = new Logger('MemoryEvents');
  private readonly listeners = new Set<MemoryEventListener>();

  constructor(private readonly publisher: EventPublisher) {}

  publish<N extends MemoryEventName>(name: N, payload: MemoryEventMap[N]): void {
    callListener(this.logger, name, () => this.publisher.publish(name, payload));
    for (const listener of [...this.listeners])
      callListener(this.logger, name, () => listener({ name, payload } as MemoryEvent));
  }

  /** @returns what ends the listening */
  listen(listener: MemoryEventListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
