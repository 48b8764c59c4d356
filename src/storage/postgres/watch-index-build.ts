import type { DataSource } from 'typeorm';

const PERIOD_MS = 1_000;

/** How far the build of an index is. Each phase counts anew. */
export interface IndexBuildProgress {
  readonly index: string;
  /** Postgres' own word for what it does, such as `building index: loading tuples`. */
  readonly phase: string;
  /** Share of the phase that is done, 0-1; null where Postgres counts nothing. */
  readonly done: number | null;
}

interface ProgressRow {
  readonly phase: string;
  readonly done: number | null;
}

/** Tells the progress of what the server process `pid` builds, from another connection, until it is stopped. */
export function watchIndexBuild(
  dataSource: DataSource,
  pid: number,
  index: string,
  onProgress: (progress: IndexBuildProgress) => void,
): { stop(): void } {
  let asking = false;
  let stopped = false;
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    try {
      const rows: ProgressRow[] = await dataSource.query(
        `SELECT phase, coalesce(tuples_done::float8 / nullif(tuples_total, 0), blocks_done::float8 / nullif(blocks_total, 0))
                  AS done
         FROM pg_catalog.pg_stat_progress_create_index WHERE pid = $1`,
        [pid],
      );
      if (rows[0] && !stopped) onProgress({ index, phase: rows[0].phase, done: rows[0].done });
    } catch {
      // Without a connection to ask on, the build goes on unwatched.
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => void ask(), PERIOD_MS);
  return {
    stop: () => {
      clearInterval(timer);
      stopped = true;
    },
  };
}
