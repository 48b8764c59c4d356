import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import type { Identity } from '../../access/identity.js';
import { CLOSE_CODES, closeSocket } from './close-codes.js';
import { graphQLWsHooks } from './graphql-ws-hooks.js';
import { whenClosed } from './when-closed.js';

let server: WebSocketServer;
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
});
afterEach(() => void jest.useRealTimers());
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** The server's end of a web socket, with the client's. */
async function connect(): Promise<{ socket: WebSocket; client: WebSocket }> {
  const { port } = server.address() as AddressInfo;
  const arrived = new Promise<WebSocket>((resolve) => server.once('connection', resolve));
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const socket = await arrived;
  return { socket, client };
}

async function leave({ socket, client }: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if (client.readyState === WebSocket.CONNECTING) await new Promise((resolve) => client.once('open', resolve));
  client.terminate();
  await closed;
}

describe('whenClosed', () => {
  it('calls all that ask, by one listener of the socket, except those that took it back', async () => {
    const connection = await connect();
    const before = connection.socket.listenerCount('close');
    const called: number[] = [];
    const takeBack = Array.from({ length: 50 }, (_, n) => whenClosed(connection.socket, () => void called.push(n)));
    expect(connection.socket.listenerCount('close')).toBe(before + 1);
    for (const stop of takeBack.slice(2)) stop();
    await leave(connection);
    expect(called).toEqual([0, 1]);
  });

  it('calls those who ask too late, after they have asked', async () => {
    const connection = await connect();
    await leave(connection);
    const late = jest.fn();
    whenClosed(connection.socket, late);
    expect(late).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(late).toHaveBeenCalledTimes(1);
  });

  it('lets a socket be closed for many reasons at once without a listener for each', async () => {
    const connection = await connect();
    const before = connection.socket.listenerCount('close');
    const closed = new Promise((resolve) => connection.client.once('close', resolve));
    for (let reason = 0; reason < 50; reason += 1) closeSocket(connection.socket, CLOSE_CODES.RESYNC, 'Missed');
    expect(connection.socket.listenerCount('close')).toBe(before + 1);
    expect(await closed).toBe(1013);
  });
});

describe('a client that leaves while identify is asked', () => {
  it('leaves no timer for the end of its identity behind', async () => {
    let know: (identity: Identity) => void = () => undefined;
    const hooks = graphQLWsHooks({
      identify: () => new Promise((resolve) => (know = resolve)),
      allowedOrigins: [],
      rules: [],
      maxTokens: 1_000,
      isProduction: false,
    });
    const connection = await connect();
    const context = { extra: { request: { headers: {} }, socket: connection.socket } };
    const connecting = hooks.onConnect?.(context as never);
    await leave(connection);
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
    know({ tenantId: 'acme', subject: 'ana', expiresAt: new Date(Date.now() + 3_600_000) });
    await connecting;
    await Promise.resolve();
    expect(jest.getTimerCount()).toBe(0);
  });
});
