import { EntitySchema } from 'typeorm';

export interface EngramEntityOptions {
  /** Schema of our tables. @default 'engram' */
  readonly schema?: string;
}

/**
 * The tables of this package for a host's DataSource, to read them with TypeORM. From a function, because TypeORM fixes
 * a schema when an entity is declared. `synchronize: false` keeps a host's own migration tool away from them, and no
 * vector is mapped: TypeORM would run `CREATE EXTENSION` at start. Write through the memory service only. Not for a
 * DataSource with an `entityPrefix`, which TypeORM puts before the names of these tables too; one of its own reads them.
 */
export function engramEntities({ schema = 'engram' }: EngramEntityOptions = {}): EntitySchema[] {
  return [
    new EntitySchema({
      name: 'EngramScope',
      tableName: 'memory_scopes',
      schema,
      synchronize: false,
      columns: {
        tenantId: { name: 'tenant_id', type: 'text', primary: true },
        scope: { type: 'text', primary: true },
        enabled: { type: 'boolean' },
        generation: { type: 'uuid' },
        revision: { type: 'bigint' },
        erasedAt: { name: 'erased_at', type: 'timestamp with time zone', precision: 3, nullable: true },
        docs: { type: 'integer' },
        terms: { type: 'bigint' },
      },
    }),
    new EntitySchema({
      name: 'EngramMemory',
      tableName: 'memories',
      schema,
      synchronize: false,
      columns: {
        tenantId: { name: 'tenant_id', type: 'text', primary: true },
        scope: { type: 'text', primary: true },
        id: { type: 'uuid', primary: true },
        content: { type: 'text' },
        contentHash: { name: 'content_hash', type: 'uuid' },
        kind: { type: 'text' },
        importance: { type: 'real' },
        metadata: { type: 'jsonb' },
        space: { type: 'text', nullable: true },
        source: { type: 'text' },
        turnId: { name: 'turn_id', type: 'text', nullable: true },
        messageNo: { name: 'message_no', type: 'smallint', nullable: true },
        evidenceAt: { name: 'evidence_at', type: 'timestamp with time zone', precision: 3 },
        version: { type: 'integer' },
        createdAt: { name: 'created_at', type: 'timestamp with time zone', precision: 3 },
        validFrom: { name: 'valid_from', type: 'timestamp with time zone', precision: 3 },
        expiresAt: { name: 'expires_at', type: 'timestamp with time zone', precision: 3, nullable: true },
      },
    }),
    new EntitySchema({
      name: 'EngramRevision',
      tableName: 'memory_revisions',
      schema,
      synchronize: false,
      columns: {
        tenantId: { name: 'tenant_id', type: 'text', primary: true },
        scope: { type: 'text', primary: true },
        memoryId: { name: 'memory_id', type: 'uuid', primary: true },
        version: { type: 'integer', primary: true },
        content: { type: 'text' },
        kind: { type: 'text' },
        importance: { type: 'real' },
        metadata: { type: 'jsonb' },
        expiresAt: { name: 'expires_at', type: 'timestamp with time zone', precision: 3, nullable: true },
        space: { type: 'text', nullable: true },
        source: { type: 'text' },
        createdAt: { name: 'created_at', type: 'timestamp with time zone', precision: 3 },
        validFrom: { name: 'valid_from', type: 'timestamp with time zone', precision: 3 },
        validTo: { name: 'valid_to', type: 'timestamp with time zone', precision: 3 },
        endedBy: { name: 'ended_by', type: 'text' },
        endedByTurn: { name: 'ended_by_turn', type: 'text', nullable: true },
        mergedInto: { name: 'merged_into', type: 'uuid', nullable: true },
      },
    }),
    new EntitySchema({
      name: 'EngramAccess',
      tableName: 'memory_access',
      schema,
      synchronize: false,
      columns: {
        tenantId: { name: 'tenant_id', type: 'text', primary: true },
        scope: { type: 'text', primary: true },
        memoryId: { name: 'memory_id', type: 'uuid', primary: true },
        lastAccessedAt: { name: 'last_accessed_at', type: 'timestamp with time zone', precision: 3 },
        accessCount: { name: 'access_count', type: 'bigint' },
      },
    }),
    new EntitySchema({
      name: 'EngramTurn',
      tableName: 'memory_turns',
      schema,
      synchronize: false,
      columns: {
        tenantId: { name: 'tenant_id', type: 'text', primary: true },
        scope: { type: 'text', primary: true },
        turnId: { name: 'turn_id', type: 'text', primary: true },
        seq: { type: 'bigint' },
        status: { type: 'text' },
        occurredAt: { name: 'occurred_at', type: 'timestamp with time zone', precision: 3 },
        saidAt: { name: 'said_at', type: 'timestamp with time zone', precision: 3, nullable: true },
        timeZone: { name: 'time_zone', type: 'text', nullable: true },
        attempt: { type: 'integer' },
        givenBack: { name: 'given_back', type: 'integer' },
        failures: { type: 'integer' },
        decisions: { type: 'jsonb', nullable: true },
        errorCode: { name: 'error_code', type: 'text', nullable: true },
        createdAt: { name: 'created_at', type: 'timestamp with time zone', precision: 3 },
        finishedAt: { name: 'finished_at', type: 'timestamp with time zone', precision: 3, nullable: true },
      },
    }),
  ];
}
