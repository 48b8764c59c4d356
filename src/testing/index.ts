export { DeterministicEmbedder } from './deterministic-embedder.js';
export { embedderContract } from './embedder-contract.js';
export { inMemoryStorage } from './in-memory-storage.js';
export { InMemoryMemoryStore } from './in-memory-store.js';
export { memoryStoreContract } from './memory-store-contract.js';
export type { MemoryStoreSubject } from './memory-store-contract.js';
export { observationQueueContract } from './observation-queue-contract.js';
export type { ObservationQueueSubject } from './observation-queue-contract.js';
export { openAiChat, openAiFailure, OpenAiServer, openAiVectors } from './openai-server.js';
export type {
  OpenAiServerOptions,
  OpenAiServerReply,
  OpenAiServerRequest,
  OpenAiServerScript,
  RefusableParameter,
} from './openai-server.js';
export { RecordingEventPublisher } from './recording-event-publisher.js';
export type { RecordedEvent } from './recording-event-publisher.js';
export { ScriptedCompletion } from './scripted-completion.js';
export type { ScriptedAnswer, ScriptedCompletionOptions } from './scripted-completion.js';
