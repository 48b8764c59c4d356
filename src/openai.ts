export { OpenAiEmbedder, OPENAI_CALIBRATION } from './embedding/openai/openai-embedder.js';
export type { OpenAiEmbedderOptions, OpenAiEmbeddingsClient } from './embedding/openai/openai-embedder.js';
export { OpenAiCompletion } from './completion/openai/openai-completion.js';
export type { OpenAiChatClient, OpenAiCompletionOptions } from './completion/openai/openai-completion.js';
export type { OpenAiServiceOptions } from './openai-service/openai-options.js';
export { withMemory } from './chat/with-memory.js';
export type { ChatClient, ChatParams, WithMemoryOptions } from './chat/with-memory.js';
export type { ChatMemory } from './chat/chat-turn.js';
