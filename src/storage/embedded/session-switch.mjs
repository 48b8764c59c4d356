import { clearInterval, setImmediate, setInterval } from 'node:timers';

/**
 * Serves many clients of the Postgres protocol from one backend session, each in its turn.
 *
 * A turn is what the protocol answers with one ReadyForQuery: a simple query, or Parse to Sync. It goes to the backend
 * in one piece, because the unnamed statement is the session's: another client's Parse between a Parse and its Bind
 * would run the wrong query. Inside a transaction the session stays with the client that began it.
 */

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

const QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);
const FLUSH = 'H'.charCodeAt(0);
const FUNCTION_CALL = 'F'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/** How often turns that wait are looked over, in milliseconds. */
const WATCH_MS = 500;

export class SessionSwitch {
  #db;
  #idleInTransactionMs;
  #turnTimeoutMs;
  #onFailure;
  #clients = new Set();
  /** Turns in the order they came: `{ client, bytes, flush, startup, since }`. */
  #waiting = [];
  /** The client that holds the session, inside its transaction. */
  #owner = null;
  #ownerIdleSince = 0;
  #running = false;
  #closed = false;
  #watch;

  /**
   * @param db an open PGlite; nothing else may use it
   * @param options.idleInTransactionMs after which a client that does nothing in its transaction is rolled back
   * @param options.turnTimeoutMs after which a turn that waits is answered with 55P03 (lock not available)
   * @param options.onFailure called once when the backend itself broke
   */
  constructor(db, { idleInTransactionMs, turnTimeoutMs, onFailure }) {
    this.#db = db;
    this.#idleInTransactionMs = idleInTransactionMs;
    this.#turnTimeoutMs = turnTimeoutMs;
    this.#onFailure = onFailure;
    this.#watch = setInterval(() => this.#endOverdue(), WATCH_MS);
  }

  accept(socket) {
    const client = { socket, received: Buffer.alloc(0), started: false, turn: [] };
    this.#clients.add(client);
    socket.setNoDelay?.(true);
    socket.on('data', (data) => this.#receive(client, data));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#leave(client));
  }

  /** Lets the turn that runs end, drops those that wait, rolls an open transaction back. */
  async close() {
    this.#closed = true;
    clearInterval(this.#watch);
    this.#waiting = [];
    for (const client of this.#clients) client.socket.destroy();
    while (this.#running) await new Promise((resolve) => setImmediate(resolve));
    if (this.#owner) await this.#rollBack();
  }

  #receive(client, data) {
    client.received = client.received.length === 0 ? data : Buffer.concat([client.received, data]);
    let at = 0;
    while (!this.#closed) {
      const rest = client.received.length - at;
      if (!client.started) {
        if (rest < 8) break;
        const length = client.received.readInt32BE(at);
        const code = client.received.readInt32BE(at + 4);
        if (rest < length) break;
        const bytes = client.received.subarray(at, at + length);
        at += length;
        if (code === SSL_REQUEST || code === GSS_REQUEST) client.socket.write('N');
        else if (code === CANCEL_REQUEST) return void client.socket.destroy();
        else {
          client.started = true;
          this.#enqueue({ client, bytes, startup: true });
        }
        continue;
      }
      if (rest < 5) break;
      const type = client.received[at];
      const length = client.received.readInt32BE(at + 1) + 1;
      if (rest < length) break;
      if (type === TERMINATE) return void client.socket.end();
      client.turn.push(client.received.subarray(at, at + length));
      at += length;
      if (type === QUERY || type === SYNC || type === FUNCTION_CALL || type === FLUSH) {
        const bytes = client.turn.length === 1 ? client.turn[0] : Buffer.concat(client.turn);
        client.turn = [];
        this.#enqueue({ client, bytes, flush: type === FLUSH });
      }
    }
    client.received = client.received.subarray(at);
  }

  #enqueue(turn) {
    this.#waiting.push({ ...turn, since: Date.now() });
    this.#pump();
  }

  #pump() {
    if (this.#running || this.#closed) return;
    const index = this.#owner ? this.#waiting.findIndex((turn) => turn.client === this.#owner) : 0;
    const turn = this.#waiting[index];
    if (!turn) return;
    this.#waiting.splice(index, 1);
    this.#running = true;
    void this.#take(turn).finally(() => {
      this.#running = false;
      // By the event loop, so that answers leave and new data comes in between two turns.
      setImmediate(() => this.#pump());
    });
  }

  async #take({ client, bytes, flush }) {
    try {
      await this.#db.execProtocolRawStream(bytes, {
        onRawData: (data) => {
          // A copy: the bytes lie in the backend's memory and will be overwritten.
          if (client.socket.writable) client.socket.write(Buffer.from(data));
        },
      });
    } catch (error) {
      return this.#fail(error);
    }
    this.#owner = flush || this.#db.isInTransaction() ? client : null;
    this.#ownerIdleSince = Date.now();
    if (this.#owner && !this.#clients.has(client)) await this.#rollBack();
  }

  #leave(client) {
    this.#clients.delete(client);
    this.#waiting = this.#waiting.filter((turn) => turn.client !== client);
    if (this.#owner !== client || this.#running) return;
    this.#running = true;
    void this.#rollBack().finally(() => {
      this.#running = false;
      this.#pump();
    });
  }

  async #rollBack() {
    this.#owner = null;
    try {
      if (this.#db.isInTransaction()) await this.#db.exec('ROLLBACK');
    } catch (error) {
      this.#fail(error);
    }
  }

  #endOverdue() {
    const now = Date.now();
    const idle = this.#owner && !this.#running && now - this.#ownerIdleSince > this.#idleInTransactionMs;
    if (idle && !this.#waiting.some((turn) => turn.client === this.#owner)) {
      const { socket } = this.#owner;
      socket.end(errorResponse('FATAL', '25P03', 'terminating connection due to idle-in-transaction timeout'));
      this.#leave(this.#owner);
    }
    const overdue = this.#waiting.filter((turn) => now - turn.since > this.#turnTimeoutMs);
    this.#waiting = this.#waiting.filter((turn) => !overdue.includes(turn));
    for (const { client, startup } of overdue) {
      const severity = startup ? 'FATAL' : 'ERROR';
      const error = errorResponse(severity, '55P03', 'canceling statement due to lock timeout');
      if (startup) client.socket.end(error);
      else client.socket.write(Buffer.concat([error, READY_IDLE]));
    }
  }

  #fail(error) {
    this.#closed = true;
    for (const client of this.#clients) client.socket.destroy();
    this.#onFailure(error);
  }
}

const READY_IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 'I'.charCodeAt(0)]);

function errorResponse(severity, code, message) {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head[0] = 'E'.charCodeAt(0);
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
