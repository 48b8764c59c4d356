import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const PROGRAM = fileURLToPath(new URL('worker-process.ts', import.meta.url));

/** As deep below the package as `src/storage/postgres`, from where the migrations are looked for; and below `node_modules`' parent, for the packages. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/nestjs-engram/', import.meta.url));

let built: string | null = null;

/**
 * The worker process as one file: it starts in half the time that a hundred files take, which counts where it is killed two
 * hundred times, and stays the same for the whole run.
 */
export function workerProgram(): string {
  if (built !== null) return built;
  const { outputFiles } = buildSync({
    entryPoints: [PROGRAM],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    write: false,
  });
  const program = outputFiles[0]?.contents ?? new Uint8Array();
  const file = `${FOLDER}fault-worker-${createHash('sha256').update(program).digest('hex').slice(0, 16)}.mjs`;
  if (!existsSync(file)) {
    mkdirSync(FOLDER, { recursive: true });
    // Another test file may be at it in this moment.
    const partial = `${file}.${process.pid}`;
    writeFileSync(partial, program);
    renameSync(partial, file);
  }
  return (built = file);
}
