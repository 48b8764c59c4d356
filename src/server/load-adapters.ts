import type { Adapters } from './adapters.js';
import type { AdapterConfig } from './config.js';

/**
 * Opens the database and loads the model, which work in threads of their own, while `meanwhile` reads modules in this one.
 * @throws EngramError of what did not come up, before the app asks for it
 */
export async function loadAdapters<T>(
  config: AdapterConfig,
  meanwhile: () => Promise<T>,
): Promise<{ readonly adapters: Adapters; readonly loaded: T }> {
  const { chooseAdapters } = await import('./adapters.js');
  const chosen = await chooseAdapters(config);
  const store = Promise.resolve(chosen.storage.create());
  const loading = Promise.allSettled([store, chosen.embedder.start?.()]);
  const loaded = await meanwhile();
  for (const outcome of await loading) if (outcome.status === 'rejected') throw outcome.reason;
  return { adapters: { ...chosen, storage: { adapter: chosen.storage.adapter, create: () => store } }, loaded };
}
