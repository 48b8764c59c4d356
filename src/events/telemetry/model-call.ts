import type { Attributes } from '@opentelemetry/api';
import type { MemoryEventMap } from '../event-map.js';
import { completionModel, embeddingModel } from './model-name.js';

export type ModelCallEvent = 'engram.embed' | 'engram.complete';

/** The same names on spans and metrics, by OpenTelemetry's conventions for generative AI (of 2026, still in development). */
export function modelCallAttributes(name: ModelCallEvent, provider: string): Attributes {
  const isEmbedding = name === 'engram.embed';
  const { provider: providerName, model } = isEmbedding ? embeddingModel(provider) : completionModel(provider);
  return {
    'gen_ai.operation.name': isEmbedding ? 'embeddings' : 'chat',
    'gen_ai.provider.name': providerName,
    'gen_ai.request.model': model,
  };
}

/** Tokens that the provider counted; one that does not count says nothing. */
export function tokensOf(payload: Partial<MemoryEventMap[ModelCallEvent]>): { input: number; output: number } {
  return { input: payload.inputTokens ?? 0, output: 'outputTokens' in payload ? (payload.outputTokens ?? 0) : 0 };
}
