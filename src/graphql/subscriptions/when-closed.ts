import type { ConnectionSocket } from '../../access/identifiable-request.js';

/** The `readyState` of a socket whose `close` event is over. */
const CLOSED = 3;

/** What is called when a socket closes: by one listener of it, since Node takes more than ten for a leak and warns of it. */
const listening = new WeakMap<ConnectionSocket, Set<() => void>>();

/**
 * Calls `listener` when the socket closes; in a moment, where it has closed while nobody listened: while `identify` was
 * waited for, say. @returns what takes it back
 */
export function whenClosed(socket: ConnectionSocket, listener: () => void): () => void {
  if (socket.readyState === CLOSED) {
    queueMicrotask(listener);
    return () => undefined;
  }
  const listeners = listening.get(socket) ?? listen(socket);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function listen(socket: ConnectionSocket): Set<() => void> {
  const listeners = new Set<() => void>();
  listening.set(socket, listeners);
  socket.once('close', () => {
    for (const listener of listeners) listener();
  });
  return listeners;
}
