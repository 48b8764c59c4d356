import type { ConnectionSocket } from '../../access/identifiable-request.js';
import { whenClosed } from './when-closed.js';

/** Why a web socket is closed by us. graphql-ws's own client connects again after each, unless its `shouldRetry` says no. */
export const CLOSE_CODES = {
  /** graphql-ws's own code: no identity, a foreign Origin, or an identity that has expired. */
  FORBIDDEN: 4403,
  /** "Try again later" of RFC 6455's registry: events were missed, so connect again and read again. */
  RESYNC: 1013,
  /** The server stops. */
  GOING_AWAY: 1001,
} as const;

/** How long a client may take to answer the close before the connection is cut, in milliseconds. */
export const CLOSE_WITHIN_MS = 2_000;

/** A client that does not read would never see the close, and would keep its buffers here. */
export function closeSocket(socket: ConnectionSocket, code: number, reason: string): void {
  const timer = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS).unref();
  whenClosed(socket, () => clearTimeout(timer));
  socket.close(code, reason);
}
