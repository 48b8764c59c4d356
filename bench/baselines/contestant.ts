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
