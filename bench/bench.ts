/** Latencies of one thing that was measured, in milliseconds. */
export interface Measurement {
  readonly what: string;
  readonly samples: number;
  readonly median: number;
  readonly p95: number;
}

/** What must be reached, and whether it was; null where a figure is told beside those that must be reached. */
export interface Figure {
  readonly what: string;
  readonly mustReach: string | null;
  readonly measured: string;
  readonly reached: boolean | null;
}

export interface BenchResult {
  /** What was measured on: sizes, adapters. */
  readonly setting: Readonly<Record<string, string | number>>;
  readonly measurements: readonly Measurement[];
  readonly figures?: readonly Figure[];
  /** What does not fit the others: rows under names of their own. */
  readonly tables?: readonly (readonly object[])[];
}

/** `value` is to be at most, or at least, so many times `of`; without a bound it is told only. */
export function ratio(
  what: string,
  value: number,
  of: number,
  bound?: { atMost: number } | { atLeast: number },
): Figure {
  const times = value / of;
  const measured = `${times.toFixed(2)}x (${value.toFixed(2)} / ${of.toFixed(2)})`;
  if (!bound) return { what, mustReach: null, measured, reached: null };
  return 'atMost' in bound
    ? { what, mustReach: `at most ${bound.atMost}x`, measured, reached: times <= bound.atMost }
    : { what, mustReach: `at least ${bound.atLeast}x`, measured, reached: times >= bound.atLeast };
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
