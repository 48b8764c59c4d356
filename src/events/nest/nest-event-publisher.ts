import { Logger } from '@nestjs/common';
import type { EventEmitter2 } from '@nestjs/event-emitter';
import type { MemoryEventMap, MemoryEventName } from '../event-map.js';
import type { EventPublisher } from '../event-publisher.js';

/** Publishes on the app's EventEmitter2, where `@OnEvent('memory.added')` hears it. A listener that fails harms nobody else. */
export class NestEventPublisher implements EventPublisher {
  private readonly logger = new Logger('MemoryEvents');

  constructor(private readonly emitter: EventEmitter2) {}

  publish<N extends MemoryEventName>(name: N, payload: MemoryEventMap[N]): void {
    try {
      this.emitter.emitAsync(name, payload).catch((error: unknown) => this.listenerFailed(name, error));
    } catch (error) {
      this.listenerFailed(name, error);
    }
  }

  /** Names the class of the error only: a listener may have put anything into the message. */
  private listenerFailed(name: MemoryEventName, error: unknown): void {
    this.logger.error(`A listener of ${name} failed with ${error instanceof Error ? error.name : typeof error}.`);
  }
}
