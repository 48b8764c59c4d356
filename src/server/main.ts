import { EngramError } from '../errors/engram-error.js';
import { readConfig } from './config.js';
import type { IdentityConfig, ServerConfig } from './config.js';
import type { RunningApp } from './app.js';

/** Past it a stop is no longer waited for: supervisors kill after 10 s, and a killed database recovers. */
const STOP_WITHIN_MS = 9_000;

const CALLERS: Readonly<Record<IdentityConfig['kind'], string>> = {
  loopback:
    'for this machine only, callers named by x-tenant-id and x-user-id; set ENGRAM_JWT_SECRET or ENGRAM_JWKS_URL to serve others',
  'jwt-secret': 'callers named by bearer tokens, ENGRAM_JWT_SECRET',
  jwks: 'callers named by bearer tokens, ENGRAM_JWKS_URL',
};

/** Heard from the first moment on, so that a signal during start-up stops the app as cleanly as a later one. */
const stopRequested = new Promise<'stop'>((resolve) => {
  let heard = false;
  const stop = (): void => {
    if (heard) process.exit(130);
    heard = true;
    resolve('stop');
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
});

/** Database and model load in threads of their own while this one reads the modules of the app. */
async function start(config: ServerConfig): Promise<RunningApp> {
  const { chooseAdapters } = await import('./adapters.js');
  const { storage, embedder, completion } = await chooseAdapters(config);
  const store = Promise.resolve(storage.create());
  const loading = Promise.allSettled([store, embedder.start?.()]);
  const { startApp } = await import('./app.js');
  // A failed load is reported here, by its own message, before the app asks for what did not come up.
  await loading.then(([stored, loaded]) => {
    for (const outcome of [stored, loaded]) if (outcome.status === 'rejected') throw outcome.reason;
  });
  return startApp(config, { storage: { adapter: storage.adapter, create: () => store }, embedder, completion });
}

/** One line for what the operator can mend; a stack only for what is a fault of ours. */
function report(error: unknown): void {
  console.error(error instanceof EngramError ? `nestjs-engram: ${error.message}` : error);
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const starting = start(config);
  const first = await Promise.race([starting, stopRequested]);
  if (first !== 'stop') {
    const { store, queue, embedder, completion } = first.adapters;
    const where = config.database.kind === 'embedded' ? `${store} in ${config.database.dataDir}` : store;
    console.log(`nestjs-engram listens on ${first.url}/graphql, ${CALLERS[config.identity.kind]}`);
    console.log(`adapters: storage ${where}, embedder ${embedder}, completion ${completion}, queue ${queue}`);
    await stopRequested;
  }
  setTimeout(() => {
    console.error(`nestjs-engram: what ran did not end within ${STOP_WITHIN_MS / 1_000} s and was cut off.`);
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
  const app = await starting.catch(() => null);
  await app?.close();
}

try {
  await run();
  process.exit(0);
} catch (error) {
  report(error);
  process.exit(1);
}
