import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  ...['--module', 'nodenext', '--target', 'es2023', '--strict'],
  ...['--experimentalDecorators', '--emitDecoratorMetadata', '--types', 'node'],
];

/** A script of the host's own page, which has the packed package and none of what that was built from. */
const PAGE = `
import { EngramMemories } from 'nestjs-engram/web';
const shown: EngramMemories | null = document.querySelector('engram-memories');
for (const element of [shown ?? new EngramMemories()]) {
  element.endpoint = '/graphql';
  element.scope = null;
  element.headers = () => ({ authorization: 'Bearer ...' });
  document.body.append(element);
}
`;

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

const tsc = (folder: string): string => join(folder, 'node_modules', '.bin', 'tsc');

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
    const compile = ['src/host.ts', '--outDir', 'dist', '--skipLibCheck', ...COMPILER_OPTIONS];
    await execute(tsc(folder), compile, folder);
    await writeFile(join(folder, 'src', 'page.ts'), PAGE);

    const env = { DATABASE_URL: databaseUrl };
    return new PackedHost(folder, await HostProcess.start({ args: ['dist/host.js'], cwd: folder, env }));
  }

  /** What the compiler finds at its strictest, with the types of packages checked too: in the host's sources and in our package. */
  async strictFaults(source: 'host.ts' | 'page.ts'): Promise<string[]> {
    const lib = source === 'page.ts' ? ['--lib', 'es2023,dom'] : [];
    const strictest = [
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--noPropertyAccessFromIndexSignature',
    ];
    const check = [`src/${source}`, '--noEmit', ...lib, ...COMPILER_OPTIONS, ...strictest];
    const faults = await execute(tsc(this.folder), check, this.folder).catch(({ message }: Error) => message);
    // Those of Nest's packages name peers that a host need not have, such as @apollo/gateway.
    return faults
      .split('\n')
      .filter((line) => /error TS/.test(line) && !/^node_modules\/(?!nestjs-engram\/)/.test(line));
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
