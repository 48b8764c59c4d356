import { Logger } from '@nestjs/common';
import type { MemoryEvent, MemoryEventMap, MemoryEventName } from './event-map.js';
import type { EventPublisher } from './event-publisher.js';

/** Hears every event of this process. Called after commit, in the order of publication. */
export type MemoryEventListener = (event: MemoryEvent) => void;

/** The app's publisher, and beside it those who listen without one. One that fails harms nobody else. */
export class EventFanOut implements EventPublisher {
  private readonly logger = new Logger('MemoryEvents');
  private readonly listeners = new Set<MemoryEventListener>();

  constructor(private readonly publisher: EventPublisher) {}

  publish<N extends MemoryEventName>(name: N, payload: MemoryEventMap[N]): void {
    this.guarded(name, () => this.publisher.publish(name, payload));
    for (const listener of this.listeners) this.guarded(name, () => listener({ name, payload } as MemoryEvent));
  }

  /** @returns what ends the listening */
  listen(listener: MemoryEventListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Names the class of the error only: its message may quote anything. */
  private guarded(name: MemoryEventName, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.logger.error(`A listener of ${name} failed with ${error instanceof Error ? error.name : typeof error}.`);
    }
  }
}
