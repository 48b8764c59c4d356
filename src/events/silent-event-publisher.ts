import type { EventPublisher } from './event-publisher.js';

/** For apps without an event bus: events go nowhere. */
export const silentEventPublisher: EventPublisher = { publish: () => undefined };
