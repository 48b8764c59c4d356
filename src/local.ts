export { LocalCompletion } from './completion/local/local-completion.js';
export { LocalEmbedder } from './embedding/local/local-embedder.js';
