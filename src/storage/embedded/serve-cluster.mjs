// Worker thread: opens the cluster of `workerData` and serves it on a socket, so that a long query does not stop the
// event loop of the application.
import { Blob } from 'node:buffer';
import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { durableStartParams, makeFsyncReal, syncTree } from './durable-files.mjs';
import { SessionSwitch } from './session-switch.mjs';

const { cluster, created, dump, listen, maxConnections, idleInTransactionMs, turnTimeoutMs } = workerData;

const db = await PGlite.create({
  dataDir: cluster ?? undefined,
  loadDataDir: dump ? new Blob([dump]) : undefined,
  startParams: cluster ? durableStartParams(PGlite.defaultStartParams) : undefined,
  extensions: { vector },
});
if (cluster) makeFsyncReal(db.Module);

const sessions = new SessionSwitch(db, {
  idleInTransactionMs,
  turnTimeoutMs,
  onFailure: (error) => {
    server.close();
    throw error;
  },
});
/** Done at once where the cluster was there before: then each write of it was synced. */
let synced = Promise.resolve();
const server = createServer((socket) => sessions.accept(socket));
server.maxConnections = maxConnections;
server.on('error', (error) => {
  throw error;
});
server.listen(listen, () => {
  const address = server.address();
  parentPort.postMessage({ state: 'ready', port: typeof address === 'object' && address ? address.port : null });
  if (created) synced = syncTree(cluster);
});

parentPort.once('message', async () => {
  server.close();
  await sessions.close();
  await db.close();
  await synced;
  parentPort.postMessage({ state: 'stopped' });
  parentPort.close();
});
