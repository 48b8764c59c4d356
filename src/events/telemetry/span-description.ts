import type { Attributes } from '@opentelemetry/api';
import type { MemoryEventMap, TelemetryEventName } from '../event-map.js';
import { attributesOf } from './attributes.js';
import { modelCallAttributes, tokensOf } from './model-call.js';
import type { ModelCallEvent } from './model-call.js';
import { embeddingModel } from './model-name.js';

export interface SpanDescription {
  readonly name: string;
  /** Work of another process, as a rule: a model's or a database's. */
  readonly isCall: boolean;
  readonly attributes: Attributes;
}

/** What of our work OpenTelemetry has a name for. An `add` may strengthen what is known, so it is no `create_memory`. */
const MEMORY_OPERATIONS: Readonly<Partial<Record<TelemetryEventName, string>>> = {
  'engram.recall': 'search_memory',
  'engram.add': 'upsert_memory',
  'engram.observe': 'upsert_memory',
};

/** @param payload of the event, as far as it is known */
export function describeSpan<N extends TelemetryEventName>(
  name: N,
  payload: Partial<MemoryEventMap[N]>,
): SpanDescription {
  if (name === 'engram.embed' || name === 'engram.complete') {
    return describeModelCall(name, payload as Partial<MemoryEventMap[ModelCallEvent]>);
  }
  const operation = MEMORY_OPERATIONS[name];
  const attributes = { 'engram.operation': name.slice('engram.'.length), ...attributesOf(payload) };
  if (!operation) return { name, isCall: false, attributes };
  const { 'engram.count': count } = attributes as Attributes;
  return {
    name: operation,
    isCall: false,
    attributes: {
      ...attributes,
      'gen_ai.operation.name': operation,
      ...(count !== undefined && { 'gen_ai.memory.record.count': count }),
    },
  };
}

function describeModelCall(
  name: ModelCallEvent,
  { provider = '', ...payload }: Partial<MemoryEventMap[ModelCallEvent]>,
): SpanDescription {
  const { inputTokens: _input, outputTokens: _output, ...rest } = payload as Partial<MemoryEventMap['engram.complete']>;
  const shared = modelCallAttributes(name, provider);
  const { input, output } = tokensOf(payload);
  return {
    name: `${shared['gen_ai.operation.name']} ${shared['gen_ai.request.model']}`,
    isCall: true,
    attributes: {
      ...attributesOf(rest),
      ...shared,
      ...(name === 'engram.embed'
        ? { 'gen_ai.embeddings.dimension.count': embeddingModel(provider).dimensions ?? 0 }
        : { 'gen_ai.output.type': 'json' }),
      ...(input > 0 && { 'gen_ai.usage.input_tokens': input }),
      ...(output > 0 && { 'gen_ai.usage.output_tokens': output }),
    },
  };
}
