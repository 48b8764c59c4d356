import type { TokenUsage } from '../errors/provider-error.js';
import type { MemoryKind } from '../model/kind.js';
import type { Message } from '../model/message.js';

/** The two questions that this package asks of a model. */
export type CompletionTask = 'extract' | 'consolidate';

/** A message of one of several turns that are asked about together. */
export interface TimedMessage extends Message {
  /** When its turn was said. @default the input's `occurredAt` */
  readonly occurredAt?: Date;
  /** IANA name; null is UTC. @default the input's `timeZone` */
  readonly timeZone?: string | null;
}

/** A message of before a turn: it tells what the turn's messages are about. */
export interface EarlierMessage extends Message {
  /** Number of the message before which it was said. */
  readonly before: number;
}

/** What `extract` is asked about. */
export interface ExtractionInput {
  /** The turn's messages, our own prompt block cut out. */
  readonly messages: readonly TimedMessage[];
  /** What was said before, in order: to understand the messages by, never to take anything from. @default none */
  readonly context?: readonly EarlierMessage[];
  readonly occurredAt: Date;
  /** IANA name; null is UTC. */
  readonly timeZone: string | null;
}

/** What `consolidate` is asked about: one candidate and its neighbours, named `1..n`. Real ids never reach a model. */
export interface ConsolidationInput {
  readonly candidate: { readonly content: string; readonly kind: MemoryKind };
  readonly neighbours: readonly { readonly alias: string; readonly content: string; readonly kind: MemoryKind }[];
}

interface CompletionRequestBase {
  /** Rendered prompt, for adapters that talk to a model. */
  readonly prompt: { readonly system: string; readonly user: string };
  /** JSON schema (strict subset) of the wanted answer, with a name as OpenAI's `response_format` takes it. */
  readonly schema: { readonly name: string; readonly schema: Record<string, unknown> };
  readonly signal?: AbortSignal;
}

/** The same question twice: rendered for a model, and as data for an adapter that needs no model. */
export type CompletionRequest =
  | (CompletionRequestBase & { readonly task: 'extract'; readonly input: ExtractionInput })
  | (CompletionRequestBase & { readonly task: 'consolidate'; readonly input: ConsolidationInput });

export interface CompletionResult {
  /** The raw answer, JSON by the schema if all went well; the caller parses and checks it. */
  readonly text: string;
  readonly usage?: TokenUsage;
}

/** Answers a question with JSON. */
export interface Completion {
  /** `provider:model`, for telemetry. */
  readonly name: string;
  /** Tasks it can answer; consolidation falls to the heuristic where `consolidate` is absent. */
  readonly tasks: readonly CompletionTask[];
  /** @throws ProviderError (a refusal too: fault `refused`) */
  complete(request: CompletionRequest): Promise<CompletionResult>;
}
