import type { Scope } from '../../../model/scope.js';
import { MEMORY_COLUMNS, joinAccess } from '../memory-row.js';
import type { MemoryRow } from '../memory-row.js';
import type { Session } from '../session.js';

/** Expired rows too: they still hold their text's place. */
export async function findByHashes(
  session: Session,
  { tenantId, scope }: Scope,
  hashes: readonly string[],
): Promise<MemoryRow[]> {
  return session.rows<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS}
     FROM ${session.names.schema}.memories m
     ${joinAccess(session.names)}
     WHERE m.tenant_id = $1 AND m.scope = $2 AND m.content_hash = ANY($3::uuid[])
     ORDER BY m.id`,
    [tenantId, scope, hashes],
  );
}
