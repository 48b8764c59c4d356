import type { MemoryService } from '../memory/memory.service.js';
import type { AdapterConfig } from './config.js';

/** For the line on stdout. */
export function shownAdapters(
  { store, queue, embedder, completion }: ReturnType<MemoryService['adapters']>,
  { database }: AdapterConfig,
): string {
  const where = database.kind === 'embedded' ? `${store} in ${database.dataDir}` : store;
  return `storage ${where}, embedder ${embedder}, completion ${completion}, queue ${queue}`;
}
