/** One way to find the memories that are nearest to a question. */
export interface Contestant {
  readonly name: string;
  /** @returns how many memories were found */
  recall(scope: number, question: Question): Promise<number>;
  close(): Promise<void>;
}

export interface Question {
  readonly text: string;
  readonly vector: readonly number[];
}

/** What every contestant is asked for. */
export const LIMIT = 5;
export const MAX_DISTANCE = 0.6;
/**
 * Lets every memory of the bench in, as a threshold does with embedders whose unrelated texts lie close together: then who
 * writes the distance twice computes it twice for each, and else for one in twenty.
 */
export const ALL_LET_IN = 1;
