import { readConfig } from './config.js';
import type { IdentityConfig } from './config.js';
import { loadAdapters } from './load-adapters.js';
import { runProcess } from './run-process.js';
import { shownAdapters } from './shown-adapters.js';

const CALLERS: Readonly<Record<IdentityConfig['kind'], string>> = {
  loopback:
    'for this machine only, callers named by x-tenant-id and x-user-id; set ENGRAM_JWT_SECRET or ENGRAM_JWKS_URL to serve others',
  'jwt-secret': 'callers named by bearer tokens, ENGRAM_JWT_SECRET',
  jwks: 'callers named by bearer tokens, ENGRAM_JWKS_URL',
};

await runProcess(
  async () => {
    const config = readConfig(process.env);
    const { adapters, loaded } = await loadAdapters(config, () => import('./app.js'));
    return Object.assign(await loaded.startApp(config, { ...adapters, worker: config.worker }), { config });
  },
  ({ url, adapters, config }) => {
    console.log(`nestjs-engram listens on ${url}/graphql, ${CALLERS[config.identity.kind]}`);
    console.log(
      `adapters: ${shownAdapters(adapters, config)}${config.worker ? '' : ', worked by other processes (ENGRAM_WORKER=off)'}`,
    );
  },
);
