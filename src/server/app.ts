import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { UnavailableError } from '../errors/unavailable-error.js';
import { MemoryService } from '../memory/memory.service.js';
import type { Adapters } from './adapters.js';
import { AppModule } from './app.module.js';
import type { ServerConfig } from './config.js';
import { openEventBus } from './event-bus.js';
import { foreignPages } from './foreign-pages.middleware.js';
import { identifyBy } from './identify.js';
import { StderrLogger } from './stderr-logger.js';

/** A turn of 100 messages of ordinary length; what is larger is refused before it is parsed. */
const BODY_LIMIT = '1mb';

/**
 * How long requests under way may take to end while the app closes, in milliseconds; a client that sends half a request,
 * or does not answer the close of its web socket, must not keep the database from being closed.
 */
const REQUESTS_END_WITHIN_MS = 5_000;

/** How long requests that were on their way when the app is told to stop may take to arrive, in milliseconds. */
const REQUESTS_ARRIVE_WITHIN_MS = 200;

export interface RunningApp {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  readonly adapters: ReturnType<MemoryService['adapters']>;
  /** Finishes requests and turns under way, then closes the database. */
  close(): Promise<void>;
}

function listenFault(error: unknown, { host, port }: ServerConfig): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reasons: Partial<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use. Stop what listens there, or set PORT.`,
    EACCES: `Port ${port} needs rights that this process does not have. Set PORT to 1024 or above.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Set HOST.`,
    ENOTFOUND: `${host} is not a known name. Set HOST.`,
  };
  const reason = typeof code === 'string' ? reasons[code] : undefined;
  return reason === undefined ? error : new UnavailableError(reason, { cause: error });
}

function listen(server: Server, { port, host }: ServerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Web sockets are served at one path; Nest leaves those who ask elsewhere without an answer, and their sockets open. */
function refuseElsewhere({ url = '' }: IncomingMessage, socket: Duplex): void {
  if (!url.startsWith('/graphql')) socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
}

/**
 * Reads what has been sent. Node and Apollo take a connection whose request they have not read yet for an idle one, and
 * would cut it off.
 */
async function readArrived(): Promise<void> {
  await sleep(REQUESTS_ARRIVE_WITHIN_MS);
  // After work that kept the event loop busy for longer: connections are taken in the first turn, and read in the next.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

/** Ends what is still connected, web sockets too, a while after it is called. */
function cutOffLater(sockets: ReadonlySet<Socket>): void {
  setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, REQUESTS_END_WITHIN_MS).unref();
}

/** Starts the reference app. @throws EngramError naming what is wrong with the configuration, the database or the port */
export async function startApp(config: ServerConfig, adapters: Adapters): Promise<RunningApp> {
  const events = await openEventBus(config.queue);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(adapters, await identifyBy(config.identity), events?.pubSub),
    // Told once it is built: of a fault until then Nest would log the stack, and whoever called reports it.
    { bufferLogs: true, autoFlushLogs: false, abortOnError: false, bodyParser: false },
  );
  app.useLogger(new StderrLogger());
  app.flushLogs();
  const sockets = new Set<Socket>();
  try {
    app.disable('x-powered-by');
    if (config.identity.kind === 'loopback') app.use(foreignPages);
    app.useBodyParser('json', { limit: BODY_LIMIT });
    (app.getHttpServer() as Server).on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    (app.getHttpServer() as HttpServer).on('upgrade', refuseElsewhere);
    await app.init();
    // Not app.listen: it logs the driver's error, and the reason shall stand once, in words.
    await listen(app.getHttpServer(), config);
  } catch (error) {
    await app.close();
    await events?.close();
    throw listenFault(error, config);
  }
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `http://${host}:${port}`,
    adapters: app.get(MemoryService).adapters(),
    close: async () => {
      await readArrived();
      cutOffLater(sockets);
      await app.close();
      await events?.close();
    },
  };
}
