import { Logger } from '@nestjs/common';

/** What is used of the client that `RedisPubSub` of graphql-redis-subscriptions receives by: one of ioredis, as a rule. */
interface SubscriberClient {
  readonly status?: string;
  readonly options?: { maxRetriesPerRequest?: number | null };
  on(event: 'close' | 'ready', listener: () => void): SubscriberClient;
}

/** Of a client of ioredis that takes commands now: `wait` is one that connects by its first. */
const USABLE: readonly (string | undefined)[] = [undefined, 'ready', 'wait'];

function clientOf(engine: object): SubscriberClient | null {
  return 'getSubscriber' in engine && typeof engine.getSubscriber === 'function'
    ? (engine.getSubscriber() as SubscriberClient)
    : null;
}

/** The connection over which an engine brings messages; of an engine inside the process there is none, and it never breaks. */
export class BusConnection {
  private readonly logger = new Logger('MemorySubscriptions');
  private readonly client: SubscriberClient | null;
  private isLost = false;
  private isEnded = false;
  private waiting: Promise<void> | null = null;
  private endWait: () => void = () => undefined;

  /** @param onGap called when it is back: messages may have been missed */
  constructor(
    engine: object,
    private readonly onGap: () => void,
  ) {
    this.client = clientOf(engine);
    this.client?.on('close', () => this.lost()).on('ready', () => this.back());
    // RedisPubSub leaves promises of its commands to nobody: one that its client gives up, after twenty attempts to connect
    // where nothing else is set, would end the process. One that waits is sent when Redis is back.
    if (typeof this.client?.options?.maxRetriesPerRequest === 'number') this.client.options.maxRetriesPerRequest = null;
  }

  /** Resolves when it takes commands: what is sent before could be given up. */
  ready(): Promise<void> {
    if (USABLE.includes(this.client?.status)) return Promise.resolve();
    this.waiting ??= new Promise((resolve) => (this.endWait = resolve));
    return this.waiting;
  }

  /** From now on it is closed on purpose. */
  end(): void {
    this.isEnded = true;
  }

  private lost(): void {
    if (!this.isLost && !this.isEnded)
      this.logger.warn('Events do not come over the bus: it is not connected. Subscribers are told when it is.');
    this.isLost = true;
  }

  private back(): void {
    this.endWait();
    this.waiting = null;
    if (!this.isLost) return;
    this.isLost = false;
    this.logger.log('Events come over the bus again.');
    this.onGap();
  }
}
