import { createHash } from 'node:crypto';
import type { EmbedOptions, Embedder, EmbedderCalibration } from '../embedding/embedder.js';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { words } from '../model/search-text.js';

/**
 * A double for tests: each word is a fixed pseudo-random direction, a text the sum of its words. Texts that share words
 * are near (distance = 1 - shared words / all words, roughly), others are at distance 1. No network, no state.
 */
export class DeterministicEmbedder implements Embedder {
  readonly space: string;
  readonly calibration: EmbedderCalibration = { maxDistance: 0.8, minCoverage: 0.3, minScore: null, denseWeight: 0.5 };

  /**
   * @param dimensions default 64
   * @param model part of the space, to play a change of model; default `words`
   */
  constructor(
    readonly dimensions = 64,
    private readonly model = 'words',
  ) {
    this.space = `deterministic:${model}:${dimensions}`;
  }

  async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    options.signal?.throwIfAborted();
    return texts.map((text, index) => {
      if (text.trim() === '') throw new InvalidInputError(`texts[${index}]`, `Text ${index} is blank. Leave it out.`);
      return this.vector(text);
    });
  }

  async embedQuery(text: string, options: EmbedOptions = {}): Promise<number[]> {
    const [vector] = await this.embedDocuments([text], options);
    return vector as number[];
  }

  private vector(text: string): number[] {
    const found = words(text);
    const sum = new Array<number>(this.dimensions).fill(0);
    for (const word of found.length > 0 ? found : [text]) {
      this.direction(word).forEach((value, i) => (sum[i] = (sum[i] as number) + value));
    }
    const norm = Math.hypot(...sum);
    return sum.map((value) => value / norm);
  }

  /** +1 or -1 per dimension, from the bits of a hash. */
  private direction(word: string): number[] {
    const signs: number[] = [];
    for (let block = 0; signs.length < this.dimensions; block += 1) {
      for (const byte of createHash('sha256').update(`${this.model} ${block} ${word}`).digest()) {
        for (let bit = 0; bit < 8; bit += 1) signs.push((byte >> bit) & 1 ? 1 : -1);
      }
    }
    return signs.slice(0, this.dimensions);
  }
}
