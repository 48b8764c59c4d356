import { randomUUID } from 'node:crypto';
import { StorageError } from '../../errors/storage-error.js';
import type { ErasureReceipt } from '../../model/erasure-receipt.js';
import type { Scope } from '../../model/scope.js';
import { requireScopeAlone } from './require-scope-alone.js';
import type { Session } from './session.js';
import { beginGeneration } from './statements/begin-generation.js';
import { countScopeRows } from './statements/count-scope-rows.js';
import { deleteScopeRows } from './statements/delete-scope-rows.js';
import { lockMemories } from './statements/lock-memories.js';
import { lockTurns } from './statements/lock-turns.js';
import { SCOPE_TABLES } from './statements/scope-tables.js';
import type { ScopeTable } from './statements/scope-tables.js';

/**
 * Empties the scope inside the caller's transaction.
 *
 * @throws StorageError when a row outlived its delete (a trigger or a rule of the host kept it), or the isolation level
 *   hides rows; the transaction must roll back
 */
export async function eraseScope(session: Session, scope: Scope, onLocked?: () => void): Promise<ErasureReceipt> {
  const { stamp } = await requireScopeAlone(session, scope);
  onLocked?.();
  await lockTurns(session, scope);
  await lockMemories(session, scope);

  const deleted = {} as Record<ScopeTable, number>;
  for (const table of SCOPE_TABLES) deleted[table] = await deleteScopeRows(session, scope, table);
  for (const table of SCOPE_TABLES) {
    const left = await countScopeRows(session, scope, table);
    // Not `> 0`: a count that could not be read is no proof either.
    if (left !== 0) throw keptByTheDatabase(table);
  }

  const generation = randomUUID();
  await beginGeneration(session, scope, { generation, stamp });
  return {
    id: generation,
    erasedAt: stamp,
    memories: deleted.memories,
    revisions: deleted.memory_revisions,
    turns: deleted.memory_turns,
    accesses: deleted.memory_access,
  };
}

function keptByTheDatabase(table: ScopeTable): StorageError {
  return new StorageError(
    `Rows of the scope are still in ${table} after their deletion, so nothing was erased. Look for a trigger, a rule or a policy on that table that keeps them.`,
  );
}
