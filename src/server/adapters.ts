import { LocalCompletion } from '../completion/local/local-completion.js';
import type { Completion } from '../completion/completion.js';
import type { Embedder } from '../embedding/embedder.js';
import { LocalEmbedder } from '../embedding/local/local-embedder.js';
import type { PortDefinition } from '../port-definition.js';
import { embeddedPostgres } from '../storage/embedded/embedded-storage.js';
import type { MemoryStore } from '../storage/memory-store.js';
import { postgres } from '../storage/postgres/postgres-storage.js';
import type { OpenAiConfig, ServerConfig } from './config.js';

/** What the environment chose for each port. */
export interface Adapters {
  readonly storage: PortDefinition<MemoryStore>;
  readonly embedder: Embedder;
  readonly completion: Completion;
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

/** @throws InvalidOptionsError */
export async function chooseAdapters({ database, openAi }: ServerConfig): Promise<Adapters> {
  return {
    storage:
      database.kind === 'embedded' ? embeddedPostgres({ dataDir: database.dataDir }) : postgres({ url: database.url }),
    ...(openAi ? await openAiAdapters(openAi) : { embedder: new LocalEmbedder(), completion: new LocalCompletion() }),
  };
}
