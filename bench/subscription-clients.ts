// The clients of the bench of subscriptions: each a web socket with one subscription. Run by `fork` with `--import tsx`.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { ClientsSetting, FromClients, ReceivedEvent, ToClients } from './subscription-messages.js';

const QUERY = 'subscription { memoryEvents { action memoryId scope at } }';
/** Sockets that connect at the same time. */
const CONNECTING = 50;

const { url, sockets, subjects } = JSON.parse(process.argv[2] ?? '{}') as ClientsSetting;
const tell = (message: FromClients): void => void process.send?.(message);
const received: ReceivedEvent[] = [];

/** Resolves when the socket is acknowledged; the subscription follows on it at once. */
function subscribe(socket: number): Promise<void> {
  const subject = `${socket % subjects}`;
  return new Promise((resolve, reject) => {
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      connectionParams: { subject },
      retryAttempts: 0,
      on: { connected: () => resolve() },
    });
    client.subscribe<{ memoryEvents: { memoryId: string; scope: string } }>(
      { query: QUERY },
      {
        next: ({ data }) => {
          if (!data) throw new Error('An event of the bench came without data.');
          const { memoryId, scope } = data.memoryEvents;
          received.push({ socket, subject, memoryId, scope, at: performance.timeOrigin + performance.now() });
        },
        error: (error) => {
          reject(error instanceof Error ? error : new Error(`A subscription of the bench ended: ${String(error)}.`));
        },
        complete: () => undefined,
      },
    );
  });
}

for (let first = 0; first < sockets; first += CONNECTING) {
  const batch = Array.from({ length: Math.min(CONNECTING, sockets - first) }, (_, index) => first + index);
  await Promise.all(batch.map(subscribe));
}
process.on('message', ({ what }: ToClients) => tell({ what, events: received }));
process.on('disconnect', () => process.exit());
tell({ what: 'subscribed' });
