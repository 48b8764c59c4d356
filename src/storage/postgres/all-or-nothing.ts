import type { QueryRunner } from 'typeorm';

/** Runs a migration in the transaction under way; where a host runs its migrations without any, in one of its own. */
export async function allOrNothing(queryRunner: QueryRunner, migration: () => Promise<unknown>): Promise<void> {
  if (queryRunner.isTransactionActive) {
    await migration();
    return;
  }
  await queryRunner.startTransaction('READ COMMITTED');
  try {
    await migration();
    await queryRunner.commitTransaction();
  } catch (error) {
    // The first error is the one to tell; a connection that is gone has rolled back by itself.
    await queryRunner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
