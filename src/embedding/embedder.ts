/** What recall needs to know of an embedder's distances. Measured, not guessed: see `npm run eval`. */
export interface EmbedderCalibration {
  /** Cosine distance 0-2 up to which a memory counts as relevant. */
  readonly maxDistance: number;
  /** Coverage 0-1 from which words alone let a memory in. */
  readonly minCoverage: number;
  /** Fused score 0-1 from which both legs together let a memory in; null: never. */
  readonly minScore: number | null;
  /** Weight 0-1 of the vector leg in the fused score. */
  readonly denseWeight: number;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** Told what each request cost, by embedders that are told by their provider. */
  readonly onUsage?: (usage: { readonly inputTokens: number }) => void;
}

/** Turns texts into vectors. Vectors come back one per text, in order, finite, of `dimensions` numbers, not zero. */
export interface Embedder {
  /** `provider:model:dimensions`; whatever changes the vectors must change it. */
  readonly space: string;
  readonly dimensions: number;
  readonly calibration: EmbedderCalibration;
  /** @throws ProviderError; all or nothing, never fewer vectors than texts */
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<number[][]>;
  embedQuery(text: string, options?: EmbedOptions): Promise<number[]>;
  /**
   * False where this embedder cannot tell meaning from noise (a bare command, for a weak model): then no distance lets a
   * memory in, and vectors only order what words let in. Absent: always true.
   */
  canSearch?(query: string): boolean;
  /** Loads what it needs before the first call; absent: nothing to load. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}
