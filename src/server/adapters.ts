import { LocalCompletion } from '../completion/local/local-completion.js';
import type { Completion } from '../completion/completion.js';
import type { Embedder } from '../embedding/embedder.js';
import { LocalEmbedder } from '../embedding/local/local-embedder.js';
import type { PortDefinition } from '../port-definition.js';
import { inProcessQueue } from '../queue/in-process/in-process-queue.js';
import type { QueueDefinition } from '../queue/queue-definition.js';
import { embeddedPostgres } from '../storage/embedded/embedded-storage.js';
import type { MemoryStore } from '../storage/memory-store.js';
import { postgres } from '../storage/postgres/postgres-storage.js';
import type { AdapterConfig, OpenAiConfig, QueueConfig } from './config.js';

/** What the environment chose for each port. */
export interface Adapters {
  readonly storage: PortDefinition<MemoryStore>;
  readonly embedder: Embedder;
  readonly completion: Completion;
  readonly queue: QueueDefinition;
  /** Whether the process works turns; absent: it does. */
  readonly worker?: boolean;
}

/** OpenAI's weights, or another's under the same protocol: vectors of the two must never be compared. */
function providerOf(baseUrl: string | undefined): string {
  return baseUrl === undefined || new URL(baseUrl).hostname.endsWith('.openai.com') ? 'openai' : 'openai-compatible';
}

async function openAiAdapters(config: OpenAiConfig): Promise<Pick<Adapters, 'embedder' | 'completion'>> {
  const { OpenAiCompletion, OpenAiEmbedder } = await import('../openai.js');
  const service = {
    apiKey: config.apiKey,
    provider: providerOf(config.baseUrl),
    ...(config.baseUrl === undefined ? {} : { baseURL: config.baseUrl }),
  };
  return {
    embedder: new OpenAiEmbedder({
      ...service,
      model: config.embedModel,
      ...(config.embedDimensions === undefined ? {} : { dimensions: config.embedDimensions }),
    }),
    completion: new OpenAiCompletion({ ...service, model: config.completionModel }),
  };
}

async function chooseQueue(config: QueueConfig): Promise<QueueDefinition> {
  if (config.kind === 'in-process') return inProcessQueue();
  const { bullMqPostgres, bullMqRedis } = await import('../bullmq.js');
  return config.kind === 'redis'
    ? bullMqRedis({ connection: { url: config.url } })
    : bullMqPostgres({ connection: config.url });
}

/** @throws InvalidOptionsError */
export async function chooseAdapters({ database, openAi, queue }: AdapterConfig): Promise<Adapters> {
  return {
    storage:
      database.kind === 'embedded' ? embeddedPostgres({ dataDir: database.dataDir }) : postgres({ url: database.url }),
    queue: await chooseQueue(queue),
    ...(openAi ? await openAiAdapters(openAi) : { embedder: new LocalEmbedder(), completion: new LocalCompletion() }),
  };
}
