import type { RedisPubSub } from 'graphql-redis-subscriptions';
import type { Redis } from 'ioredis';
import { withDeadline } from '../memory/with-deadline.js';
import type { PubSubBus } from '../graphql/subscriptions/memory-event-bus.js';
import type { QueueConfig } from './config.js';

/** What closing takes where Redis answers, many times over, in milliseconds. */
const CLOSES_WITHIN_MS = 1_000;

/** Brings memory events from process to process. */
export interface EventBus {
  readonly pubSub: PubSubBus;
  /** What was published is sent first, where Redis is there. */
  close(): Promise<void>;
}

/** Faults are told by those who use the bus; a client of ioredis without a listener would print each of them. */
function silenced(client: Redis): Redis {
  return client.on('error', () => undefined);
}

/** The bus on the Redis of the queue, connected as soon as it answers. Null without one: the process is alone. */
export async function openEventBus(queue: QueueConfig): Promise<EventBus | null> {
  if (queue.kind !== 'redis') return null;
  const [{ RedisPubSub: Base }, { Redis: Client }] = await Promise.all([
    import('graphql-redis-subscriptions'),
    import('ioredis'),
  ]);
  const publisher = silenced(new Client(queue.url));
  // A worker subscribes to nothing, and so never connects it.
  const subscriber = silenced(new Client(queue.url, { lazyConnect: true }));
  const engine = new Base({ publisher, subscriber });
  return {
    pubSub: withPrefix(engine, `${publisher.options.db ?? 0}:`),
    close: async () => {
      await withDeadline(CLOSES_WITHIN_MS, () => engine.close()).catch(() => undefined);
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}

/** Redis delivers across the numbers of its databases, and apps that share one by number do not share memories. */
function withPrefix(engine: RedisPubSub, prefix: string): PubSubBus & Pick<RedisPubSub, 'getSubscriber'> {
  return {
    publish: (topic, payload) => engine.publish(`${prefix}${topic}`, payload),
    subscribe: (topic, onMessage, options) => engine.subscribe(`${prefix}${topic}`, onMessage, options),
    unsubscribe: (id) => engine.unsubscribe(id),
    getSubscriber: () => engine.getSubscriber(),
  };
}
