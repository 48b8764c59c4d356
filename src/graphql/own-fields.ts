/** The object types that this module adds to a host's schema. */
export const OWN_TYPES: ReadonlySet<string> = new Set([
  'Memory',
  'MemoryRevision',
  'RecalledMemory',
  'MemoryEdge',
  'MemoryPageInfo',
  'MemoryConnection',
  'MemorySettings',
  'MemoryKindCount',
  'MemoryStats',
  'MemoryRejection',
  'AddMemoryPayload',
  'UpdateMemoryPayload',
  'MemoryDecision',
  'MemoryObservation',
  'MemoryErasureReceipt',
  'MemoryEvent',
]);

/** Its fields of the types that it shares with the host. */
export const OWN_ROOT_FIELDS: Readonly<Partial<Record<string, readonly string[]>>> = {
  Query: [
    'memories',
    'memory',
    'memoryHistory',
    'recall',
    'memoryPrompt',
    'memorySettings',
    'memoryStats',
    'observation',
  ],
  Mutation: [
    'addMemory',
    'updateMemory',
    'forgetMemory',
    'restoreMemory',
    'forgetStaleMemories',
    'forgetAllMemories',
    'observe',
    'observeLater',
    'retryObservation',
    'setMemoryEnabled',
  ],
  Subscription: ['memoryEvents'],
};

/** Whether a field is this module's, and none of the host's own. */
export function isOwnField(type: string, field: string): boolean {
  return OWN_TYPES.has(type) || (OWN_ROOT_FIELDS[type]?.includes(field) ?? false);
}
