import type { DataSource } from 'typeorm';
import { TABLES } from './scope-tables.js';

export interface RowLevelSecurityState {
  /** The role of this connection. */
  readonly connected_as: string;
  /** Postgres 16 or later. */
  readonly recent: boolean;
  /** Policies hide rows from this role. */
  readonly active: boolean;
  /** Our tables that lack forced policies, leaves included. */
  readonly open_tables: readonly string[];
}

/** What the catalog says of our tables, for whoever is connected. */
export async function readRowLevelSecurity(
  dataSource: DataSource,
  schema: string,
): Promise<RowLevelSecurityState | undefined> {
  const rows: RowLevelSecurityState[] = await dataSource.query(
    `SELECT current_user::text AS connected_as, current_setting('server_version_num')::int >= 160000 AS recent,
            coalesce(bool_or(pg_catalog.row_security_active(c.oid)), false) AS active,
            coalesce(array_agg(c.relname::text ORDER BY c.relname) FILTER (
              WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)
                 OR NOT c.relispartition AND NOT EXISTS (
                   SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own_scope')), '{}')
              AS open_tables
     FROM unnest($2::text[]) AS ours (name)
     JOIN pg_catalog.pg_namespace n ON n.nspname = $1
     JOIN pg_catalog.pg_class root ON root.relnamespace = n.oid AND root.relname = ours.name
     CROSS JOIN LATERAL (
       SELECT root.oid AS relid UNION SELECT t.relid FROM pg_catalog.pg_partition_tree(root.oid) t
     ) AS tree
     JOIN pg_catalog.pg_class c ON c.oid = tree.relid`,
    [schema, TABLES],
  );
  return rows[0];
}

export interface SecureRole {
  /** Superuser, or BYPASSRLS: no policy counts. */
  readonly unbound: boolean;
  /** This connection may switch to it. */
  readonly usable: boolean;
  /** It has the sweeper's policies without switching to it. */
  readonly sweeps: boolean;
  /** It may read and write our tables. */
  readonly granted: boolean;
}

/** What a role may do, for a connection that would act as it. Undefined where there is none of that name. */
export async function readSecureRole(
  dataSource: DataSource,
  { role, sweeper, schema }: { role: string; sweeper: string; schema: string },
): Promise<SecureRole | undefined> {
  const rows: SecureRole[] = await dataSource.query(
    `SELECT r.rolsuper OR r.rolbypassrls AS unbound,
            pg_catalog.pg_has_role(r.oid, 'SET') AS usable,
            coalesce(pg_catalog.pg_has_role(r.oid, s.oid, 'USAGE'), false) AS sweeps,
            coalesce((SELECT bool_and(pg_catalog.has_table_privilege(r.oid, c.oid, p.privilege))
                      FROM pg_catalog.pg_class c CROSS JOIN unnest($4::text[]) AS p (privilege)
                      WHERE c.relnamespace = n.oid AND c.relname = ANY ($5::text[])), false)
              AND coalesce(pg_catalog.has_schema_privilege(r.oid, n.oid, 'USAGE'), false) AS granted
     FROM pg_catalog.pg_roles r
     LEFT JOIN pg_catalog.pg_roles s ON s.rolname = $2
     LEFT JOIN pg_catalog.pg_namespace n ON n.nspname = $3
     WHERE r.rolname = $1`,
    [role, sweeper, schema, ['SELECT', 'INSERT', 'UPDATE', 'DELETE'], TABLES],
  );
  return rows[0];
}
