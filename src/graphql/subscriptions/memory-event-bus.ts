import { Logger } from '@nestjs/common';
import { className } from '../../errors/class-name.js';
import { UnavailableError } from '../../errors/unavailable-error.js';
import { DeadlineError, withDeadline } from '../../memory/with-deadline.js';
import type { Scope } from '../../model/scope.js';
import { BusConnection } from './bus-connection.js';
import { isMissedMessage, readMessage, topicOf } from './memory-event-message.js';
import type { MemoryEventMessage } from './memory-event-message.js';

/** The part of graphql-subscriptions' `PubSubEngine` that is used: any of its engines is one. */
export interface PubSubBus {
  publish(topic: string, payload: unknown): Promise<void>;
  subscribe(topic: string, onMessage: (payload: unknown) => void, options: object): Promise<number>;
  unsubscribe(id: number): unknown;
}

/** How long a bus may take to begin delivering, in milliseconds. */
const SUBSCRIBE_WITHIN_MS = 5_000;

/** Takes the events of one scope. Must not throw. */
export type EventSink = (message: MemoryEventMessage) => void;

interface Feed {
  readonly sinks: Set<EventSink>;
  /** Null where nobody followed any more when the bus was ready for it. */
  readonly subscription: Promise<number | null>;
}

/** Brings each scope's events to those who follow that scope, and to nobody else. */
export class MemoryEventBus {
  private readonly logger = new Logger('MemorySubscriptions');
  private readonly feeds = new Map<string, Feed>();
  private readonly connection: BusConnection;

  /** @param onGap called when followers may have missed events: those of one scope, or, without it, all */
  constructor(
    private readonly engine: PubSubBus,
    private readonly onGap: (scope?: Scope) => void,
  ) {
    this.connection = new BusConnection(engine, () => onGap());
  }

  /** From when it resolves, each event of the scope goes to the sink. @throws UnavailableError */
  async follow(scope: Scope, sink: EventSink): Promise<void> {
    const topic = topicOf(scope);
    const feed = this.feeds.get(topic) ?? this.open(topic, scope);
    feed.sinks.add(sink);
    try {
      await withDeadline(SUBSCRIBE_WITHIN_MS, () => feed.subscription);
    } catch (error) {
      void this.leave(scope, sink);
      const why = error instanceof DeadlineError ? `no answer within ${SUBSCRIBE_WITHIN_MS} ms` : className(error);
      throw new UnavailableError(`Events cannot be subscribed to at present (${why}). Try again later.`);
    }
  }

  /** The sink gets nothing any more from now on. @returns when the bus has been told, where it was the scope's last one */
  async leave(scope: Scope, sink: EventSink): Promise<void> {
    const topic = topicOf(scope);
    const feed = this.feeds.get(topic);
    if (!feed?.sinks.delete(sink) || feed.sinks.size > 0) return;
    this.feeds.delete(topic);
    try {
      // Also one that is still being made: it must not outlive the last who asked for it.
      const subscription = await feed.subscription;
      if (subscription === null) return;
      await this.connection.ready();
      await this.engine.unsubscribe(subscription);
    } catch (error) {
      this.logger.warn(`A subscription could not be ended: ${className(error)}.`);
    }
  }

  /** The app stops, and closes the engine: that is no loss. */
  end(): void {
    this.connection.end();
  }

  /** Scopes that somebody follows. */
  get size(): number {
    return this.feeds.size;
  }

  private open(topic: string, { tenantId, scope }: Scope): Feed {
    const sinks = new Set<EventSink>();
    const onMessage = (payload: unknown): void => {
      if (isMissedMessage(payload, { tenantId, scope })) return this.onGap({ tenantId, scope });
      const message = readMessage(payload);
      // The topic says so already; a bus that mixes topics up must still reach nobody else.
      if (message?.tenantId !== tenantId || message.scope !== scope) return;
      for (const sink of sinks) sink(message);
    };
    const subscribe = (): Promise<number> | null =>
      this.feeds.get(topic) === feed ? this.engine.subscribe(topic, onMessage, {}) : null;
    const feed: Feed = { sinks, subscription: this.connection.ready().then(subscribe) };
    this.feeds.set(topic, feed);
    return feed;
  }
}
