/**
 * Every table that holds rows of a scope, but the scope's own row: what an erasure empties, in the order of its deletes.
 * Accesses go before their memories, so that they are counted and not swept along.
 */
export const SCOPE_TABLES = ['memory_turns', 'memory_revisions', 'memory_access', 'memories'] as const;

/** Every table of ours that holds rows of scopes. */
export const TABLES = ['memory_scopes', ...SCOPE_TABLES] as const;

export type ScopeTable = (typeof SCOPE_TABLES)[number];
