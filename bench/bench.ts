/** Latencies of one thing that was measured, in milliseconds. */
export interface Measurement {
  readonly what: string;
  readonly samples: number;
  readonly median: number;
  readonly p95: number;
}

export interface BenchResult {
  /** What was measured on: sizes, adapters. */
  readonly setting: Readonly<Record<string, string | number>>;
  readonly measurements: readonly Measurement[];
}

/** One entry of `npm run bench -- <name>`. `progress` goes to stderr. */
export interface Bench {
  readonly name: string;
  readonly question: string;
  run(progress: (text: string) => void): Promise<BenchResult>;
}

/** The nearest-rank percentile, `share` 0-1. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function measurement(what: string, milliseconds: readonly number[]): Measurement {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  return {
    what,
    samples: sorted.length,
    median: rounded(percentile(sorted, 0.5)),
    p95: rounded(percentile(sorted, 0.95)),
  };
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
