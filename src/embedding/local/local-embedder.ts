import { createRequire } from 'node:module';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import type { EmbedOptions, Embedder, EmbedderCalibration } from '../embedder.js';
import { EmbeddingThread } from './embedding-thread.js';
import type { EmbeddingUrgency } from './embedding-thread.js';
import { LOCAL_CALIBRATION } from './local-calibration.js';
import { assertPackagesInstalled } from './required-packages.js';
import { isSearchable } from './searchable-query.js';
import { combine, documentForms, queryForms } from './sentence-forms.js';

const DIMENSIONS = 512;

/**
 * Embeds on this machine, with no key and no network: Universal Sentence Encoder lite (English, 512 dimensions) in a
 * worker thread. It loads in 0.3 s at `start` or at the first call, and takes 8-15 ms a text.
 * It knows little of meaning without shared words: use it to try things out, and an API embedder where recall matters.
 */
export class LocalEmbedder implements Embedder {
  /** The 2 is the number of the recipe in `sentence-forms.ts` (1 was the plain text): another recipe, other vectors. */
  readonly space = `local:use-lite-2:${DIMENSIONS}`;
  readonly dimensions = DIMENSIONS;
  readonly calibration: EmbedderCalibration = LOCAL_CALIBRATION;

  private readonly thread: EmbeddingThread;

  /** @throws InvalidOptionsError when the packages it needs are not installed */
  constructor() {
    assertPackagesInstalled(createRequire(import.meta.url).resolve);
    this.thread = new EmbeddingThread(new URL('./embedding-worker.mjs', import.meta.url));
  }

  start(): Promise<void> {
    return this.thread.start();
  }

  stop(): Promise<void> {
    return this.thread.stop();
  }

  canSearch(query: string): boolean {
    return isSearchable(query);
  }

  /** @throws InvalidInputError for a blank text @throws ProviderError */
  embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    return this.embed(texts, documentForms, 'documents', options);
  }

  /** @throws InvalidInputError for a blank text @throws ProviderError */
  async embedQuery(text: string, options: EmbedOptions = {}): Promise<number[]> {
    const [vector] = await this.embed([text], queryForms, 'query', options);
    return vector as number[];
  }

  private async embed(
    texts: readonly string[],
    formsOf: (text: string) => string[],
    urgency: EmbeddingUrgency,
    { signal }: EmbedOptions,
  ): Promise<number[][]> {
    const forms = texts.map((text, index) => {
      const found = formsOf(text);
      if (found.length === 0) {
        throw new InvalidInputError(
          `texts[${index}]`,
          `Text ${index} is blank and has no meaning to embed. Leave it out.`,
        );
      }
      return found;
    });
    const vectors = await this.thread.embed(forms.flat(), urgency, signal);
    let at = 0;
    return forms.map((own) => combine(vectors.slice(at, (at += own.length)), DIMENSIONS));
  }
}
