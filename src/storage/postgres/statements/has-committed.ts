import type { QueryRunner } from 'typeorm';

/** Whether a transaction's work is there to stay. False too where the connection is gone, and nobody can tell. */
export async function hasCommitted(queryRunner: QueryRunner, transactionId: string): Promise<boolean> {
  try {
    const rows: { status: string | null }[] = await queryRunner.query(
      'SELECT pg_catalog.pg_xact_status($1::xid8) AS status',
      [transactionId],
    );
    return rows[0]?.status === 'committed';
  } catch {
    return false;
  }
}
