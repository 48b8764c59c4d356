import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface HostProgram {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** An app as a process of its own, with no environment but what is given. Its first line is its URL. */
export class HostProcess {
  private constructor(
    /** `http://127.0.0.1:41234` */
    readonly url: string,
    /** What it wrote to stderr until now. */
    readonly warnings: readonly string[],
    /** Resolves when it has ended. */
    readonly stop: () => Promise<void>,
  ) {}

  /** @throws when it ends before it serves */
  static async start({ args, cwd, env }: HostProgram): Promise<HostProcess> {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, args, { cwd, env: { PATH, HOME, ...env } });
    const warnings: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => warnings.push(text));
    const ended = once(child, 'close');
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), 'line'),
      ended.then(([code]) => Promise.reject(new Error(`The host ended with ${String(code)}:\n${warnings.join('')}`))),
    ])) as [string];
    return new HostProcess(line.replace('[::1]', '127.0.0.1'), warnings, async () => {
      child.kill('SIGTERM');
      await ended;
    });
  }
}
