import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';

/** A transaction of somebody else, open while `work` runs; rolled back where that does not commit it. Native Postgres only. */
export async function inTransaction(
  dataSource: DataSource,
  work: (open: QueryRunner, commit: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const open = dataSource.createQueryRunner();
  await open.startTransaction();
  try {
    await work(open, () => open.commitTransaction());
  } finally {
    if (open.isTransactionActive) await open.rollbackTransaction();
    await open.release();
  }
}

/** Whether `call` has to wait for a lock: true as soon as a session of the database waits, false once the call has ended. */
export async function waitsForLock(dataSource: DataSource, call: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const ended = (): void => void (hasEnded = true);
  call.then(ended, ended);
  while (!hasEnded) {
    const [row] = await dataSource.query(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (Number(row.count) > 0) return true;
    await sleep(5);
  }
  return false;
}
