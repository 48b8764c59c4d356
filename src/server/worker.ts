import { readWorkerConfig } from './config.js';
import { loadAdapters } from './load-adapters.js';
import { runProcess } from './run-process.js';
import { shownAdapters } from './shown-adapters.js';

await runProcess(
  async () => {
    const config = readWorkerConfig(process.env);
    const { adapters, loaded } = await loadAdapters(config, () => import('./worker-app.js'));
    return Object.assign(await loaded.startWorker(config, adapters), { config });
  },
  ({ adapters, config }) => console.log(`nestjs-engram works turns: ${shownAdapters(adapters, config)}`),
);
