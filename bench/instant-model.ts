import { createHash } from 'node:crypto';
import type { Completion, CompletionRequest, CompletionResult } from '../src/completion/completion.js';
import type { Embedder } from '../src/embedding/embedder.js';
import { TopicalVectors } from './topical-vectors.js';

/** A model that needs no time: every line that a user says is a fact, and every fact is new. */
export class InstantModel implements Completion {
  readonly name = 'bench:instant';
  readonly tasks = ['extract', 'consolidate'] as const;

  complete(request: CompletionRequest): Promise<CompletionResult> {
    const answer =
      request.task === 'extract' ? extracted(request.input) : { action: 'add', memory: null, content: null };
    return Promise.resolve({ text: JSON.stringify(answer), usage: { inputTokens: 1, outputTokens: 1 } });
  }
}

function extracted({ messages }: (CompletionRequest & { task: 'extract' })['input']): unknown {
  return {
    memories: messages.flatMap(({ role, content }, message) =>
      role === 'user' ? [{ content, kind: 'fact', importance: 0.5, message }] : [],
    ),
  };
}

const TOPICS = 20;
const VECTORS = 500;

/** An embedder that needs no time: one of some hundred vectors for each text, always the same. */
export class InstantEmbedder implements Embedder {
  readonly space: string;
  readonly calibration = { maxDistance: 0.6, minCoverage: 0.3, minScore: null, denseWeight: 0.5 };
  private readonly vectors: readonly number[][];

  constructor(readonly dimensions: number) {
    this.space = `bench:instant:${dimensions}`;
    const topical = new TopicalVectors(dimensions, 1);
    this.vectors = Array.from({ length: VECTORS }, (_, number) => topical.memory(number % TOPICS));
  }

  embedDocuments(texts: readonly string[]): Promise<number[][]> {
    return Promise.resolve(texts.map((text) => this.vectorOf(text)));
  }

  embedQuery(text: string): Promise<number[]> {
    return Promise.resolve(this.vectorOf(text));
  }

  private vectorOf(text: string): number[] {
    const number = createHash('md5').update(text).digest().readUInt32BE() % VECTORS;
    return [...(this.vectors[number] as number[])];
  }
}
