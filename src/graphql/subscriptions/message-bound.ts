import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CLOSE_WITHIN_MS } from './close-codes.js';
import { MessageMeter } from './message-meter.js';

/** What is used of Node's HTTP server. */
export interface UpgradingServer {
  on(event: 'upgrade', listener: (request: IncomingMessage, socket: Duplex) => void): unknown;
}

/** A close frame with the code 1009, "message too big". */
const TOO_BIG = Buffer.from([0x88, 0x02, 0x03, 0xf1]);

/**
 * Sends those away who begin a web socket message that is longer than it may be. Nest makes its server of web sockets
 * without a bound and takes none, so that anybody, known or not, could have 100 MiB gathered for each socket.
 * @param paths of the sockets that it holds for; an empty one stands for all
 */
export function boundMessages(server: UpgradingServer, paths: readonly string[], maxBytes: number): void {
  server.on('upgrade', ({ url = '' }, socket) => {
    const [asked] = url.split('?', 1);
    if (!paths.some((path) => path === '' || path === asked)) return;
    const meter = new MessageMeter(maxBytes);
    socket.on('data', (chunk: Buffer) => {
      if (!meter.take(chunk)) sendAway(socket);
    });
  });
}

function sendAway(socket: Duplex): void {
  // What still comes is read and dropped: with bytes unread, the connection would be reset and the close frame lost.
  socket.removeAllListeners('data').resume();
  socket.write(TOO_BIG);
  // For whoever serves it the client has hung up: nothing more is sent, and the connection is ended.
  socket.emit('end');
  const timer = setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
