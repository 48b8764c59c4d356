import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtScript } from './built-app.js';

export interface GraphQLAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

type Variables = Readonly<Record<string, unknown>>;

/** The reference app as a process of its own, with no environment but what is given. */
export class AppProcess {
  stdout = '';
  stderr = '';
  readonly exited: Promise<Exit>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  }

  /** Starts it, without waiting for it to listen. A free port, unless `PORT` is given. */
  static async spawn(env: Readonly<Record<string, string>>, entry: 'main' | 'worker' = 'main'): Promise<AppProcess> {
    const script = await builtScript(`server/${entry}.js`);
    const { PATH = '', HOME = '' } = process.env;
    return new AppProcess(spawn(process.execPath, [script], { env: { PATH, HOME, PORT: '0', ...env } }));
  }

  /** Starts it and waits until it serves. */
  static async start(env: Readonly<Record<string, string>>, entry: 'main' | 'worker' = 'main'): Promise<AppProcess> {
    const app = await AppProcess.spawn(env, entry);
    const lines = entry === 'main' ? 2 : 1;
    const listening = new Promise<void>((resolve) => {
      app.child.stdout?.on('data', () => app.stdout.split('\n').length > lines && resolve());
    });
    const exit = await Promise.race([listening, app.exited]);
    if (exit) throw new Error(`The app ended with ${JSON.stringify(exit)} before it listened:\n${app.stderr}`);
    return app;
  }

  get url(): string {
    const found = /http:\/\/\S+?:\d+/.exec(this.stdout)?.[0];
    if (found === undefined) throw new Error(`No address on stdout:\n${this.stdout}`);
    return found;
  }

  async graphql(
    query: string,
    variables: Variables = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GraphQLAnswer> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as GraphQLAnswer;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.signal(signal);
    return this.exited;
  }
}

/** A new folder, and what removes it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'engram-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
