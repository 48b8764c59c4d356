import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { AccessService } from '../../access/access.service.js';
import type { ConnectionSocket } from '../../access/identifiable-request.js';
import type { IdentifiableRequest } from '../../access/identity.js';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import type { Scope } from '../../model/scope.js';
import { resolveLimits } from '../limits.js';
import { toGraphQLError } from '../to-graphql-error.js';
import { MEMORY_GRAPHQL_OPTIONS } from '../memory-graphql.options.js';
import type { MemoryGraphQLOptions } from '../memory-graphql.options.js';
import { CLOSE_CODES, closeSocket } from './close-codes.js';
import { EventQueue } from './event-queue.js';
import { atExpiry } from './expiry-timer.js';
import { MemoryEventBus } from './memory-event-bus.js';
import type { PubSubBus } from './memory-event-bus.js';
import { topicOf } from './memory-event-message.js';
import type { MemoryEventAction, MemoryEventMessage } from './memory-event-message.js';
import { MEMORY_EVENT_PUB_SUB } from './memory-event-relay.js';
import { whenClosed } from './when-closed.js';

/** How long a grant is taken for granted while events arrive, in milliseconds. */
const GRANT_HOLDS_MS = 5_000;

export interface SubscriptionRequest {
  /** Empty: all. */
  readonly actions: readonly MemoryEventAction[];
  readonly request: IdentifiableRequest;
  /** Null where the transport is not graphql-ws through Nest: the stream only ends then. */
  readonly socket: ConnectionSocket | null;
}

type End = (code: number, reason: string) => void;

/** The subscriptions that are open in this process, and what brings them their events. */
@Injectable()
export class MemorySubscriptions implements OnModuleDestroy {
  private readonly bus: MemoryEventBus;
  private readonly limits: ReturnType<typeof resolveLimits>;
  /** How many each subject has. */
  private readonly counts = new Map<string, number>();
  /** What ends each, with the topic that it follows. */
  private readonly ends = new Map<End, string>();

  constructor(
    @Inject(MEMORY_GRAPHQL_OPTIONS) { limits }: MemoryGraphQLOptions,
    @Inject(MEMORY_EVENT_PUB_SUB) pubSub: PubSubBus,
    @Inject(AccessService) private readonly access: AccessService,
  ) {
    this.limits = resolveLimits(limits);
    this.bus = new MemoryEventBus(pubSub, (scope) => this.endAll(CLOSE_CODES.RESYNC, 'Events were missed', scope));
  }

  onModuleDestroy(): void {
    this.bus.end();
    this.endAll(CLOSE_CODES.GOING_AWAY, 'Going away');
  }

  /** Scopes that somebody follows, and subscriptions that are open. */
  get size(): { readonly scopes: number; readonly subscriptions: number } {
    return { scopes: this.bus.size, subscriptions: this.ends.size };
  }

  /**
   * Events of a scope that was granted already, from when it resolves until the subscriber goes, its identity expires or
   * its grant ends. A subscriber that reads too slowly is sent away, to come back and read again.
   * @throws InvalidInputError past `limits.subscriptions`
   * @throws UnavailableError when the bus does not answer
   */
  async open(
    scope: Scope,
    { actions, request, socket }: SubscriptionRequest,
  ): Promise<AsyncIterableIterator<MemoryEventMessage>> {
    const { tenantId, subject, expiresAt } = await this.access.identity(request);
    const leave = this.enter(JSON.stringify([tenantId, subject]));
    const end: End = (code, reason) => {
      queue.end();
      if (socket) closeSocket(socket, code, reason);
    };
    const queue = new EventQueue<MemoryEventMessage>(
      this.limits.eventBacklog,
      () => end(CLOSE_CODES.RESYNC, 'Events were missed'),
      () => {
        stopTimer();
        stopListening();
        void this.bus.leave(scope, sink);
        this.ends.delete(end);
        leave();
      },
    );
    const stopTimer = atExpiry(expiresAt, () => end(CLOSE_CODES.FORBIDDEN, 'The identity has expired'));
    // graphql-ws ends what it has under an id when the socket closes. It forgets a subscription whose id was given up and
    // taken again before it had begun.
    const stopListening = socket ? whenClosed(socket, () => queue.end()) : () => undefined;
    const sink = (message: MemoryEventMessage): void => {
      if (actions.length === 0 || actions.includes(message.action)) queue.push(message);
    };
    this.ends.set(end, topicOf(scope));
    try {
      await this.bus.follow(scope, sink);
    } catch (error) {
      queue.end();
      throw error;
    }
    return this.whileGranted(queue, scope, request);
  }

  /** Asks again whether the subscriber may read, before an event is sent: a grant can end while the socket stays open. */
  private whileGranted(
    queue: EventQueue<MemoryEventMessage>,
    scope: Scope,
    request: IdentifiableRequest,
  ): AsyncIterableIterator<MemoryEventMessage> {
    let granted = Date.now();
    const stream: AsyncIterableIterator<MemoryEventMessage> = {
      next: async () => {
        const result = await queue.next();
        if (result.done || Date.now() - granted < GRANT_HOLDS_MS) return result;
        try {
          await this.access.granted(request, scope.scope, 'read');
        } catch (error) {
          queue.end();
          throw toGraphQLError(error);
        }
        granted = Date.now();
        return result;
      },
      return: () => queue.return(),
      throw: () => queue.throw(),
      [Symbol.asyncIterator]: () => stream,
    };
    return stream;
  }

  private enter(subject: string): () => void {
    const max = this.limits.subscriptions;
    const count = (this.counts.get(subject) ?? 0) + 1;
    if (count > max) {
      throw new InvalidInputError(
        'memoryEvents',
        `You have ${max} subscriptions open, which is the most. End one, or follow several actions by one subscription.`,
      );
    }
    this.counts.set(subject, count);
    return () => {
      const left = (this.counts.get(subject) ?? 1) - 1;
      if (left === 0) this.counts.delete(subject);
      else this.counts.set(subject, left);
    };
  }

  /** Those of one scope, or, without it, all. */
  private endAll(code: number, reason: string, scope?: Scope): void {
    const ended = scope && topicOf(scope);
    for (const [end, topic] of [...this.ends]) if (ended === undefined || topic === ended) end(code, reason);
  }
}
