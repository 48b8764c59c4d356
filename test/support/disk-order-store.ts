import { DataSource } from 'typeorm';
import { PostgresMemoryStore } from '../../src/storage/postgres/postgres-memory-store.js';

/**
 * A started store beside that of `dataSource`, whose planner reads a table in the order of the disk, as it does when most
 * of it is wanted: what relies on the order of an index shows. Stop it.
 */
export async function openDiskOrderStore({ options }: DataSource): Promise<PostgresMemoryStore> {
  if (options.type !== 'postgres') throw new Error('the store is on another kind of database');
  const settings = '-c enable_indexscan=off -c enable_bitmapscan=off';
  const reading = new DataSource({ ...options, extra: { ...(options.extra as object), options: settings } });
  const store = new PostgresMemoryStore(reading, { migrate: false, ownsDataSource: true });
  await store.start();
  return store;
}
