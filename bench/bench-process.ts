import { fork } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of a bench, spoken to by messages that say `what` they are. */
export class BenchProcess<Sent extends Serializable, Heard extends { readonly what: string }> {
  private readonly child: ChildProcess;
  private readonly heard: Heard[] = [];
  private readonly failed: Promise<never>;
  private ended = false;

  /** @param program a file of this folder */
  constructor(program: string, setting: object = {}, flags: readonly string[] = []) {
    const file = fileURLToPath(new URL(program, import.meta.url));
    this.child = fork(file, [JSON.stringify(setting)], { execArgv: ['--import', 'tsx', ...flags] });
    this.child.on('message', (message: Heard) => this.receive(message));
    this.failed = once(this.child, 'exit').then(([code, signal]) => {
      this.ended = true;
      throw new Error(`${program} ended by ${String(signal ?? code)}.`);
    });
    this.failed.catch(() => undefined);
  }

  protected receive(message: Heard): void {
    this.heard.push(message);
    this.child.emit('heard');
  }

  send(message: Sent): void {
    this.child.send(message);
  }

  /** The next message of that kind. @throws when the process ends before */
  async hear<W extends Heard['what']>(what: W): Promise<Heard & { readonly what: W }> {
    for (;;) {
      const place = this.heard.findIndex((message) => message.what === what);
      if (place >= 0) return this.heard.splice(place, 1)[0] as Heard & { readonly what: W };
      await Promise.race([once(this.child, 'heard'), this.failed]);
    }
  }

  async stop(): Promise<void> {
    if (this.ended) return;
    this.child.kill('SIGTERM');
    await this.failed.catch(() => undefined);
  }
}
