import type { Embedder } from '../src/embedding/embedder.js';

/** An embedder that costs nothing: the vectors of all texts are given, so that no embedding time is measured. */
export class GivenEmbedder implements Embedder {
  readonly space: string;
  /** As for text-embedding-3-small; the bench names `maxDistance` itself where it matters. */
  readonly calibration = { maxDistance: 0.6, minCoverage: 0.3, minScore: null, denseWeight: 0.5 };
  private readonly vectors = new Map<string, number[]>();

  constructor(readonly dimensions: number) {
    this.space = `bench:given:${dimensions}`;
  }

  give(text: string, vector: number[]): void {
    this.vectors.set(text, vector);
  }

  forget(text: string): void {
    this.vectors.delete(text);
  }

  embedDocuments(texts: readonly string[]): Promise<number[][]> {
    return Promise.resolve(texts.map((text) => this.vectorOf(text)));
  }

  embedQuery(text: string): Promise<number[]> {
    return Promise.resolve(this.vectorOf(text));
  }

  private vectorOf(text: string): number[] {
    const vector = this.vectors.get(text);
    if (!vector) throw new Error('A text without a given vector was embedded.');
    return vector;
  }
}
