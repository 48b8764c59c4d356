// The dump of a new embedded database that test files start from: made once for each version of PGlite, because
// creating a database takes seconds and half a gigabyte, loading a dump neither.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const modules = new URL('../../node_modules/', import.meta.url);
const version = (name) => JSON.parse(readFileSync(new URL(`${name}/package.json`, modules), 'utf8')).version;

export const dumpFile = fileURLToPath(
  new URL(`.cache/nestjs-engram/pglite-${version('@electric-sql/pglite')}.tar`, modules),
);

/** jest's global set-up. */
export default async function makeDump() {
  if (process.env.ENGRAM_TEST_DATABASE_URL || existsSync(dumpFile)) return;
  mkdirSync(fileURLToPath(new URL('.cache/nestjs-engram/', modules)), { recursive: true });
  const unfinished = `${dumpFile}.${process.pid}`;
  const script = `
    import { writeFileSync } from 'node:fs';
    import { PGlite } from '@electric-sql/pglite';
    const db = await PGlite.create();
    const dump = await db.dumpDataDir('none');
    writeFileSync(process.argv[1], new Uint8Array(await dump.arrayBuffer()));
    await db.close();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, unfinished], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  renameSync(unfinished, dumpFile);
}
