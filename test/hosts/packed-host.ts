import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtScript } from '../server/built-app.js';
import { HostProcess } from '../support/host-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
/** What is in npm's cache is as good as new: the lock file says which. */
const NPM = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Those of a new Nest app that matter here. */
const COMPILER_OPTIONS = [
  ...['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck'],
  ...['--experimentalDecorators', '--emitDecoratorMetadata', '--types', 'node'],
];

/** @returns its output */
async function execute(program: string, args: readonly string[], folder: string): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd: folder })).stdout;
  } catch (error) {
    // The compiler says on stdout what is wrong.
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} failed in ${folder}:\n${stdout}${stderr}`, { cause: error });
  }
}

/** A folder that has nothing of this repository's `node_modules` above it. */
async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'engram-host-'));
}

/** The package as `npm publish` would send it. */
export class PackedPackage {
  private constructor(
    private readonly folder: string,
    readonly file: string,
  ) {}

  static async pack(): Promise<PackedPackage> {
    await builtScript('index.js');
    const folder = await temporaryFolder();
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, ...NPM];
    const stdout = await execute('npm', pack, ROOT);
    const name = /"filename": "([^"]+)"/.exec(stdout)?.[1];
    if (name === undefined) throw new Error(`npm pack named no file:\n${stdout}`);
    return new PackedPackage(folder, join(folder, name));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** An app of its own, outside this repository: its packages from its lock file, and ours from the packed file. */
export class PackedHost {
  private constructor(
    private readonly folder: string,
    readonly process: HostProcess,
  ) {}

  /** @param fixture a folder here, with `package.json` and `package-lock.json` */
  static async start(fixture: string, packed: PackedPackage, databaseUrl: string): Promise<PackedHost> {
    const folder = await temporaryFolder();
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(HERE, fixture, file), join(folder, file));
    }
    await mkdir(join(folder, 'src'));
    await copyFile(join(HERE, 'host.ts'), join(folder, 'src', 'host.ts'));
    await execute('npm', ['ci', ...NPM], folder);
    await execute('npm', ['install', '--no-save', '--no-package-lock', packed.file, ...NPM], folder);
    const compile = ['src/host.ts', '--outDir', 'dist', ...COMPILER_OPTIONS];
    await execute(join(folder, 'node_modules', '.bin', 'tsc'), compile, folder);

    const env = { DATABASE_URL: databaseUrl };
    return new PackedHost(folder, await HostProcess.start({ args: ['dist/host.js'], cwd: folder, env }));
  }

  async graphql(user: string | null, query: string): Promise<unknown> {
    const response = await fetch(`${this.process.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(user !== null && { 'x-user': user }) },
      body: JSON.stringify({ query }),
    });
    return response.json();
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
