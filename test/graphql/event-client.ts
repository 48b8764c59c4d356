import { createClient } from 'graphql-ws';
import type { Client, ClientOptions } from 'graphql-ws';
import WebSocket from 'ws';
import type { ClientOptions as SocketOptions } from 'ws';

export interface ReceivedEvent {
  readonly action: string;
  readonly memoryId: string | null;
  readonly scope: string;
  readonly at: string;
  readonly memory?: { readonly content: string } | null;
}

export const EVENTS = `subscription ($scope: String, $actions: [MemoryEventAction!]) {
  memoryEvents(scope: $scope, actions: $actions) { action memoryId scope at }
}`;

/** What one subscription brought, and how it ended. */
export interface Subscription {
  readonly events: ReceivedEvent[];
  readonly errors: { message: string; extensions?: Record<string, unknown> }[];
  /** Errors of an operation that did not run, `complete`, or the close event of the socket. */
  readonly ended: Promise<unknown>;
  unsubscribe(): void;
  /** Resolves when that many events are there. */
  until(count: number): Promise<void>;
}

export interface EventClientOptions extends Partial<ClientOptions> {
  /** Headers of the upgrade: a browser's Origin, for one. */
  readonly headers?: Record<string, string>;
}

/** A real graphql-ws client over real sockets. */
export class EventClient {
  readonly client: Client;
  readonly sockets: WebSocket[] = [];
  /** Payload of the latest acknowledgement. */
  acknowledged: unknown = null;

  constructor(url: string, { headers = {}, ...options }: EventClientOptions = {}) {
    const { sockets } = this;
    class Socket extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(address, protocols, { headers } satisfies SocketOptions);
        sockets.push(this);
      }
    }
    this.client = createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: Socket,
      retryAttempts: 0,
      ...options,
    });
    this.client.on('connected', (_socket, payload) => (this.acknowledged = payload));
  }

  subscribe(query = EVENTS, variables: Record<string, unknown> = {}): Subscription {
    const events: ReceivedEvent[] = [];
    const errors: Subscription['errors'] = [];
    const waiters = new Set<() => void>();
    let end: (how: unknown) => void = () => undefined;
    const ended = new Promise<unknown>((resolve) => (end = resolve));
    const unsubscribe = this.client.subscribe<{ memoryEvents: ReceivedEvent }>(
      { query, variables },
      {
        next: ({ data, errors: faults = [] }) => {
          if (data?.memoryEvents) events.push(data.memoryEvents);
          errors.push(...faults.map(({ message, extensions }) => ({ message, ...(extensions && { extensions }) })));
          for (const waiter of waiters) waiter();
        },
        error: end,
        complete: () => end(errors.length > 0 ? errors : 'complete'),
      },
    );
    return {
      events,
      errors,
      ended,
      unsubscribe,
      until: (count) =>
        new Promise((resolve) => {
          const look = (): void => {
            if (events.length < count) return;
            waiters.delete(look);
            resolve();
          };
          waiters.add(look);
          look();
        }),
    };
  }

  async close(): Promise<void> {
    await this.client.dispose();
  }
}
