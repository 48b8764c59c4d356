import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { freePort } from './free-port.js';

/** In front of a server: what goes through it can be cut, refused and let through again, while the server runs on. */
export class TcpProxy {
  /** Connections that were tried, those that were turned away too. */
  tried = 0;
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private turnsAway = false;

  private constructor(
    private readonly target: URL,
    private readonly port: number,
  ) {}

  /** Chooses the port; nothing listens on it yet. */
  static async prepare(target: string): Promise<TcpProxy> {
    return new TcpProxy(new URL(target), await freePort());
  }

  /** The target's, by way of this proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Lets through what comes from now on. */
  async open(): Promise<void> {
    this.turnsAway = false;
    await this.listen();
  }

  /** Ends what is connected; from now on nothing listens. */
  async cut(): Promise<void> {
    const { server } = this;
    this.server = null;
    const closed = server && new Promise((resolve) => server.close(resolve));
    this.endAll();
    await closed;
  }

  /** Ends what is connected; from now on each connection is taken, and ended at once: a server that is about to start. */
  async turnAway(): Promise<void> {
    this.turnsAway = true;
    this.endAll();
    await this.listen();
  }

  private async listen(): Promise<void> {
    if (this.server) return;
    const server = (this.server = createServer((socket) => this.take(socket)));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.port, '127.0.0.1', resolve);
    });
  }

  private take(socket: Socket): void {
    this.tried += 1;
    if (this.turnsAway) {
      socket.destroy();
      return;
    }
    const { hostname, port } = this.target;
    const onward = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  }

  private endAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
