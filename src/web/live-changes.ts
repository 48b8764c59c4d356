import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import type { MemoryClientOptions } from './memory-client.js';

/** Longest wait before the next try to connect, in milliseconds: a server that was away all night is found soon. */
const RETRY_WITHIN_MS = 30_000;

/** A connection is asked so often whether it is alive, and given up after so long a silence, in milliseconds. */
const PING_EVERY_MS = 15_000;
const PONG_WITHIN_MS = 10_000;

/** `Forbidden` of graphql-ws: among other things, the identity has expired. */
const FORBIDDEN = 4403;

export interface LiveChangesOptions extends Pick<MemoryClientOptions, 'endpoint' | 'headers' | 'scope'> {
  /**
   * A memory may have changed; null where any may have: after an erasure, and after each gap, for an event that was
   * missed is not sent again.
   */
  readonly onChange: (memoryId: string | null) => void;
  /** Whether changes arrive at present. */
  readonly onState: (live: boolean) => void;
}

/** Hears what happens in a scope. A connection that ends, for whatever reason, is made anew until `close`. */
export class LiveChanges {
  private readonly sockets: Client;
  private hadConnection = false;
  private isLive = false;
  private isClosed = false;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private endWait: () => void = () => undefined;
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly options: LiveChangesOptions) {
    this.sockets = createClient({
      url: options.endpoint.replace(/^http/, 'ws'),
      connectionParams: async () => ({ ...(await options.headers()) }),
      retryAttempts: Number.POSITIVE_INFINITY,
      shouldRetry: () => true,
      retryWait: (retries) => this.wait(Math.min(1_000 * 2 ** retries, RETRY_WITHIN_MS)),
      keepAlive: PING_EVERY_MS,
      on: {
        connected: this.connected,
        closed: this.ended,
        // A laptop that slept keeps a socket that nobody is behind any more.
        ping: (received) => {
          if (!received) this.silence = setTimeout(() => this.sockets.terminate(), PONG_WITHIN_MS);
        },
        pong: () => clearTimeout(this.silence),
      },
    });
    this.subscribe();
  }

  /** Connects at once where it waits to. */
  hurry(): void {
    this.endWait();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.silence);
    // Before the wait ends: a client that nobody subscribes with does not connect again.
    this.unsubscribe();
    this.endWait();
    // One that was never made is none to close.
    void Promise.resolve(this.sockets.dispose()).catch(() => undefined);
  }

  private subscribe(): void {
    this.unsubscribe = this.sockets.subscribe<{ memoryEvents: { memoryId: string | null } }>(
      {
        query: 'subscription Changes($scope: String) { memoryEvents(scope: $scope) { memoryId } }',
        variables: { scope: this.options.scope },
      },
      {
        next: ({ data }) => this.options.onChange(data?.memoryEvents.memoryId ?? null),
        error: this.refused,
        complete: this.refused,
      },
    );
  }

  private readonly connected = (): void => {
    this.isLive = true;
    this.options.onState(true);
    if (this.hadConnection) this.options.onChange(null);
    this.hadConnection = true;
  };

  private readonly ended = (event: unknown): void => {
    clearTimeout(this.silence);
    if (this.isClosed || !this.isLive) return;
    this.isLive = false;
    this.options.onState(false);
    // Who no longer may see what is shown should not wait for the next click to learn so.
    if (event instanceof CloseEvent && event.code === FORBIDDEN) this.options.onChange(null);
  };

  private readonly refused = (): void => {
    if (this.isClosed) return;
    this.options.onState(false);
    void this.wait(RETRY_WITHIN_MS).then(() => {
      if (!this.isClosed) this.subscribe();
    });
  };

  /** Up to that long, and not all pages of a server that comes back at the same moment. */
  private wait(longestMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longestMs * (0.5 + Math.random() / 2));
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
