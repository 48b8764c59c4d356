import type { QueryRunner } from 'typeorm';
import { TABLES } from './scope-tables.js';

export interface SecuredTable {
  readonly name: string;
  readonly forced: boolean;
}

/** Our tables with row level security, their leaves too. */
export function listSecuredTables(queryRunner: QueryRunner, schema: string): Promise<SecuredTable[]> {
  return queryRunner.query(
    `SELECT c.relname AS name, c.relforcerowsecurity AS forced
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relrowsecurity
       AND EXISTS (
         SELECT FROM unnest($2::text[]) AS ours (name)
         WHERE c.relname = ours.name
            OR c.relispartition AND EXISTS (
              SELECT FROM pg_catalog.pg_partition_ancestors(c.oid) AS a (relid)
              JOIN pg_catalog.pg_class p ON p.oid = a.relid WHERE p.relnamespace = n.oid AND p.relname = ours.name))
     ORDER BY c.relname`,
    [schema, TABLES],
  );
}
