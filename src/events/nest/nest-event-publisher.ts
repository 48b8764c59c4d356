import { Logger } from '@nestjs/common';
import type { EventEmitter2 } from '@nestjs/event-emitter';
import { callListener } from '../call-listener.js';
import type { MemoryEventMap, MemoryEventName } from '../event-map.js';
import type { EventPublisher } from '../event-publisher.js';

/**
 * Publishes on the app's EventEmitter2, where `@OnMemoryEvent('memory.added')` hears it. Each listener is called alone:
 * in the emitter's own loop the first that throws keeps the others from hearing.
 */
export class NestEventPublisher implements EventPublisher {
  private readonly logger = new Logger('MemoryEvents');

  constructor(private readonly emitter: EventEmitter2) {}

  publish<N extends MemoryEventName>(name: N, payload: MemoryEventMap[N]): void {
    const { emitter } = this;
    const call = (listener: () => unknown): void =>
      callListener(this.logger, name, () => {
        // Where one listener hears several events, this tells it which, as the emitter does.
        (emitter as EventEmitter2 & { event?: string }).event = name;
        return listener();
      });
    for (const listener of [...emitter.listenersAny()]) call(() => listener.call(emitter, name, payload));
    for (const listener of [...emitter.listeners(name)]) call(() => listener.call(emitter, payload));
  }
}
