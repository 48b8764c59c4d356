import { Client } from 'pg';
// @ts-expect-error -- plain JavaScript, it has no types
import { serviceUrls } from '../services/urls.mjs';

/** A database of one's own on the native server of `npm run services:up`. */
export interface BenchDatabase {
  readonly url: string;
  /** Versions of server and extension, and what of its settings counts here. */
  readonly server: string;
  drop(): Promise<void>;
}

/** Of this run: the laboratory's stays open while other benches have theirs. */
let created = 0;

export async function createBenchDatabase(): Promise<BenchDatabase> {
  const urls = (serviceUrls as () => { ENGRAM_TEST_DATABASE_URL?: string })();
  const server = urls.ENGRAM_TEST_DATABASE_URL;
  if (!server) throw new Error('This bench needs native Postgres. Run npm run services:up first.');
  created += 1;
  const name = `engram_bench_${process.pid}_${created}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    server: await onServer(server, async (client) => {
      // A run that was killed leaves gigabytes behind.
      const { rows: old } = await client.query<{ datname: string }>(
        `SELECT datname FROM pg_database d WHERE datname LIKE 'engram\\_bench\\_%'
         AND d.datname NOT LIKE $1 AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = d.datname)`,
        [`engram\\_bench\\_${process.pid}\\_%`],
      );
      for (const { datname } of old) await client.query(`DROP DATABASE ${datname}`);
      // Sorted by bytes, which is the best case for those who find a user's rows by a prefix.
      await client.query(`CREATE DATABASE ${name} TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`);
      const { rows } = await client.query<{ server: string }>(
        `SELECT 'Postgres ' || current_setting('server_version') || ', pgvector ' || default_version
                || ', shared_buffers ' || current_setting('shared_buffers') AS server
         FROM pg_available_extensions WHERE name = 'vector'`,
      );
      return rows[0]?.server ?? 'unknown';
    }),
    drop: () => onServer(server, async (client) => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`))),
  };
}

async function onServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
