import type { DataSource } from 'typeorm';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { StorageError } from '../../errors/storage-error.js';
import { UnavailableError } from '../../errors/unavailable-error.js';
import type { ErasureReceipt } from '../../model/erasure-receipt.js';
import type { Memory } from '../../model/memory.js';
import type { ScopeSettings } from '../../model/scope-settings.js';
import type { ScopeStats } from '../../model/scope-stats.js';
import type { Scope } from '../../model/scope.js';
import type {
  ExportPage,
  IndexedScopes,
  JoinedStore,
  MemoryPage,
  MemoryPageQuery,
  MemoryStore,
  RecallHit,
  RecallQuery,
  Retention,
  ScopeState,
  ScopeWriter,
  SpaceVector,
  StoredRevision,
  StoredText,
  SwitchedScope,
  TextPosition,
  TransactionManager,
  TurnLog,
} from '../memory-store.js';
import { checkRowLevelSecurity } from './check-row-level-security.js';
import { storageFailure } from './driver-error.js';
import { eraseScope } from './erase-scope.js';
import { HostTransaction } from './host-transaction.js';
import { JoinedSessions } from './joined-sessions.js';
import { isUuid, toMemory } from './memory-row.js';
import type { MemoryRow } from './memory-row.js';
import { PostgresScopeWriter } from './postgres-scope-writer.js';
import { PostgresTurnLog } from './postgres-turn-log.js';
import { toRecallHit } from './recall-row.js';
import { checkHnswFrom, recallScope } from './recall-scope.js';
import { toStoredRevision } from './revision-row.js';
import { runMigrations } from './run-migrations.js';
import { requireSessionSettings } from './require-session-settings.js';
import { resolveRowLevelSecurity } from './row-level-security.js';
import type { RowLevelSecurity, RowLevelSecurityOptions } from './row-level-security.js';
import { LargeScopeIndexing, checkIndexScopesFrom } from './index-large-scopes.js';
import { ScopeIndexes } from './scope-indexes.js';
import { SessionPool } from './session-pool.js';
import type { Sessions } from './sessions.js';
import { quoteIdentifier } from './sql-names.js';
import type { Session } from './session.js';
import { countStatesWithoutVector } from './statements/count-states-without-vector.js';
import { findEndedStates } from './statements/find-ended-states.js';
import { findMemories } from './statements/find-memories.js';
import { findMemory } from './statements/find-memory.js';
import { findRevisionVector } from './statements/find-revision-vector.js';
import { findScopesDueForUpkeep } from './statements/find-scopes-due-for-upkeep.js';
import { findTextsToEmbed } from './statements/find-texts-to-embed.js';
import { listMemories } from './statements/list-memories.js';
import { lockScope } from './statements/lock-scope.js';
import type { LockedScope } from './statements/lock-scope.js';
import { makeScope } from './statements/make-scope.js';
import { readExportPage } from './statements/read-export-page.js';
import { readSettings } from './statements/read-settings.js';
import { readScope } from './statements/read-scope.js';
import { replaceMemoryVector, replaceRevisionVector } from './statements/replace-vector.js';
import { scopeStats } from './statements/scope-stats.js';
import { touchMemories } from './statements/touch-memories.js';
import { switchMemory } from './switch-memory.js';

export interface PostgresMemoryStoreOptions {
  /** Schema of our tables. @default 'engram' */
  readonly schema?: string;
  /** Where pgvector is created if it is not installed. @default 'public' */
  readonly extensionSchema?: string;
  /** Hash partitions of every table, 1-256, that the migrations make. @default none: whole tables */
  readonly partitions?: number;
  /** Run what is missing of the migrations at start. */
  readonly migrate: boolean;
  /** The DataSource is ours: connect it at start, close it at stop. A host's is left as it is. @default false */
  readonly ownsDataSource?: boolean;
  /**
   * Text search configuration that words are stemmed with, as `pg_ts_config` names it; `simple` where the language of
   * the memories is unknown. Texts that are stored keep the words of the one they were stored with. @default 'english'
   */
  readonly language?: string;
  /** Memories of a scope from which its own index answers, where `createScopeIndex` has made one. @default 30000 */
  readonly hnswFrom?: number;
  /** Memories of a scope from which upkeep gives it its own index by itself, 1,000 or more; false for none. @default false */
  readonly indexScopesFrom?: number | false;
  /** Scopes stay without an index, instead of the start failing, where `indexScopesFrom` is not possible. @default false */
  readonly indexIfPossible?: boolean;
  /**
   * Keep the statement of recall prepared on connections to a server process of their own. Never for the embedded
   * database, where all connections are one session. @default false
   */
  readonly preparedStatements?: boolean;
  /** Name for logs and telemetry. @default 'postgres' */
  readonly adapter?: string;
  /** The tables have policies that show a transaction only the scope that it names. @default false */
  readonly rowLevelSecurity?: boolean | RowLevelSecurityOptions;
}

/** Revisions of a memory that are kept unless the host says otherwise. */
const DEFAULT_VERSIONS = 20;

/** Memories in Postgres with pgvector, on a TypeORM DataSource. */
export class PostgresMemoryStore implements MemoryStore {
  readonly adapter: string;
  readonly databaseSystem = 'postgresql';
  readonly turns: TurnLog = new PostgresTurnLog(() => this.sessions());
  private readonly schema: string;
  private readonly language: string;
  private readonly hnswFrom: number;
  /** Null inside a transaction of the host: using one changes settings. */
  private indexes: ScopeIndexes | null = new ScopeIndexes();
  private opened: Sessions | null = null;
  private readonly indexing: LargeScopeIndexing | null;
  private keepVersions: Retention['versions'] = DEFAULT_VERSIONS;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: PostgresMemoryStoreOptions,
  ) {
    this.adapter = options.adapter ?? 'postgres';
    this.schema = options.schema ?? 'engram';
    this.language = options.language ?? 'english';
    this.hnswFrom = checkHnswFrom(options.hnswFrom);
    const { indexScopesFrom = false, indexIfPossible: ifPossible = false, rowLevelSecurity = false } = options;
    const without = ifPossible && rowLevelSecurity !== false;
    const from = without ? null : checkIndexScopesFrom(indexScopesFrom, rowLevelSecurity !== false);
    this.indexing = from === null ? null : new LargeScopeIndexing(dataSource, this.schema, { from, ifPossible });
  }

  async start({ retention }: { retention?: Retention } = {}): Promise<void> {
    if (this.opened) return;
    if (retention) this.keepVersions = retention.versions;
    await this.connect();
    await requireSessionSettings(this.dataSource);
    if (this.options.migrate) {
      const { extensionSchema, partitions, rowLevelSecurity } = this.options;
      await runMigrations(this.dataSource, { schema: this.schema, extensionSchema, partitions, rowLevelSecurity });
    }
    const security = resolveRowLevelSecurity(this.options.rowLevelSecurity, this.schema);
    const names = { schema: quoteIdentifier(this.schema), extension: await this.findExtension(security) };
    await checkRowLevelSecurity(this.dataSource, this.schema, security);
    await this.indexing?.check();
    this.opened = new SessionPool(
      this.dataSource,
      names,
      this.language,
      security,
      this.options.preparedStatements ?? false,
    );
  }

  async stop(): Promise<void> {
    this.opened = null;
    if (this.options.ownsDataSource && this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  async check(): Promise<void> {
    this.sessions();
    await queryOnce(this.dataSource, 'SELECT 1', []);
  }

  async scopeState(scope: Scope): Promise<ScopeState> {
    const present = await this.sessions().use(scope, (session) => readScope(session, scope));
    if (present) return present;
    return this.sessions().transaction(scope, async (session) => {
      await makeScope(session, scope);
      const made = await readScope(session, scope);
      if (!made) throw scopeVanished();
      return made;
    });
  }

  async get(scope: Scope, id: string, asOf?: Date): Promise<Memory | null> {
    if (!isUuid(id)) return null;
    const row = await this.sessions().use(scope, (session) =>
      findMemory(session, scope, id, asOf ?? null, asOf !== undefined),
    );
    return row && toMemory(row);
  }

  async getMany(scope: Scope, ids: readonly string[]): Promise<Memory[]> {
    const known = ids.filter(isUuid);
    if (known.length === 0) return [];
    const rows = await this.sessions().use(scope, (session) => findMemories(session, scope, known));
    return rows.map(toMemory);
  }

  async list(scope: Scope, query: MemoryPageQuery): Promise<MemoryPage> {
    const rows = await this.sessions().use(scope, (session) => listMemories(session, scope, query));
    const memories = rows.flatMap((row) => (row.id === null ? [] : [toMemory(row)]));
    return {
      memories: memories.slice(0, query.limit),
      hasNextPage: memories.length > query.limit,
      totalCount: Number(rows[0]?.total ?? 0),
    };
  }

  async recall(scope: Scope, query: RecallQuery): Promise<RecallHit[]> {
    const rows = await recallScope(this.sessions(), this.indexes, scope, query, this.hnswFrom);
    return rows.map(toRecallHit);
  }

  async withoutVector(scope: Scope, at: { space: string; asOf: Date }): Promise<number> {
    return this.sessions().use(scope, (session) => countStatesWithoutVector(session, scope, at));
  }

  async history(scope: Scope, id: string): Promise<StoredRevision[]> {
    return this.histories(scope, [id]);
  }

  async histories(scope: Scope, ids: readonly string[]): Promise<StoredRevision[]> {
    const known = ids.filter(isUuid);
    if (known.length === 0) return [];
    const rows = await this.sessions().use(scope, (session) =>
      findEndedStates(session, scope, known, this.keepVersions),
    );
    return rows.map(toStoredRevision);
  }

  async revisionVector(scope: Scope, id: string, version: number): Promise<SpaceVector | null> {
    if (!isUuid(id)) return null;
    return this.sessions().use(scope, (session) => findRevisionVector(session, scope, id, version));
  }

  async dueForUpkeep(what: Parameters<MemoryStore['dueForUpkeep']>[0]): Promise<Scope[]> {
    return this.sessions().acrossScopes((session) => findScopesDueForUpkeep(session, what));
  }

  async indexLargeScopes(signal?: AbortSignal): Promise<IndexedScopes> {
    this.sessions();
    const done = await this.indexing?.run(signal);
    if (done && done.indexed > 0) this.indexes?.readAgain();
    return done ?? { indexed: 0, failed: 0 };
  }

  async write<T>(scope: Scope, work: (writer: ScopeWriter) => Promise<T>): Promise<T> {
    return this.sessions().transaction(scope, async (session) => {
      const locked = await lockOrMakeScope(session, scope);
      const largeScopes = { indexes: this.indexes, from: this.hnswFrom };
      const writer = new PostgresScopeWriter(session, scope, locked, this.keepVersions, largeScopes);
      const result = await work(writer);
      await writer.complete();
      return result;
    });
  }

  async touch(scope: Scope, ids: readonly string[]): Promise<void> {
    const known = ids.filter(isUuid);
    if (known.length === 0) return;
    await this.sessions().transaction(scope, (session) => touchMemories(session, scope, known));
  }

  async stats(scope: Scope, space: string | null): Promise<ScopeStats> {
    return this.sessions().use(scope, (session) => scopeStats(session, scope, space));
  }

  async textsToEmbed(
    scope: Scope,
    page: { space: string; staleOnly: boolean; after: TextPosition | null; limit: number },
  ): Promise<StoredText[]> {
    return this.sessions().use(scope, (session) => findTextsToEmbed(session, scope, page));
  }

  async replaceVector(scope: Scope, text: StoredText, vector: SpaceVector): Promise<boolean> {
    if (!isUuid(text.memoryId)) return false;
    const replace = text.ended ? replaceRevisionVector : replaceMemoryVector;
    // A transaction of one statement, for its limit on waiting for a writer of the same row.
    return this.sessions().transaction(scope, (session) => replace(session, scope, text, vector));
  }

  async exportPage(
    scope: Scope,
    page: { after: string | null; limit: number; withVectors: boolean },
  ): Promise<ExportPage> {
    const rows = await this.sessions().use(scope, (session) => readExportPage(session, scope, page));
    if (!rows[0]) return { generation: (await this.scopeState(scope)).generation, memories: [] };
    return {
      generation: rows[0].generation,
      memories: rows.flatMap((row) => (row.id === null ? [] : [toExported(row)])),
    };
  }

  async settings(scope: Scope): Promise<ScopeSettings> {
    return this.sessions().use(scope, (session) => readSettings(session, scope));
  }

  async setEnabled(scope: Scope, enabled: boolean, onLocked?: () => void): Promise<SwitchedScope | null> {
    return this.sessions().transaction(scope, (session) => switchMemory(session, scope, enabled, onLocked));
  }

  async erase(scope: Scope, onLocked?: () => void): Promise<ErasureReceipt> {
    return this.sessions().transaction(scope, (session) => eraseScope(session, scope, onLocked));
  }

  within(manager: TransactionManager): JoinedStore {
    const transaction = HostTransaction.joinedBy(manager);
    const store = new PostgresMemoryStore(this.dataSource, { ...this.options, ownsDataSource: false });
    store.keepVersions = this.keepVersions;
    store.indexes = null;
    store.opened = new JoinedSessions(transaction, {
      names: this.sessions().names,
      schema: this.schema,
      language: this.language,
      rowLevelSecurity: Boolean(this.options.rowLevelSecurity),
    });
    return { store, afterCommit: (effect, undone) => transaction.afterCommit(effect, undone) };
  }

  private sessions(): Sessions {
    if (!this.opened)
      throw new UnavailableError('The memory store is not open: the application has not started yet, or has stopped.');
    return this.opened;
  }

  private async connect(): Promise<void> {
    if (this.dataSource.isInitialized) return;
    if (!this.options.ownsDataSource) {
      throw new InvalidOptionsError(
        'dataSource',
        'The DataSource is not connected. Connect it before the memory module starts, or let the module make its own from a URL.',
      );
    }
    try {
      await this.dataSource.initialize();
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /** Quoted schema of pgvector, and a check that the language exists, in one round trip. */
  private async findExtension(security: RowLevelSecurity | null): Promise<string> {
    const [row] = await queryOnce<{
      extension: string | null;
      usable: boolean;
      connected_as: string;
      language_known: boolean;
      tables_there: boolean;
    }>(
      this.dataSource,
      `SELECT v.extension, v.usable, current_user::text AS connected_as,
              EXISTS (SELECT FROM pg_catalog.pg_ts_config WHERE cfgname = $1) AS language_known,
              to_regclass($2) IS NOT NULL AS tables_there
       FROM (SELECT) AS one
       LEFT JOIN (
         SELECT n.nspname AS extension, pg_catalog.has_schema_privilege(n.oid, 'USAGE') AS usable
         FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
         WHERE e.extname = 'vector'
       ) AS v ON true`,
      [this.language, `${quoteIdentifier(this.schema)}.memories`],
    );
    if (!row?.extension) {
      throw new StorageError(
        'The extension vector is missing in this database. Run engramMigrations() with the DataSource, or set "migrate: true" on the storage; both create it where the role may.',
      );
    }
    // Another role, where the option names one, has the right from the migrations.
    if (!row.usable && (security?.role ?? null) === null) {
      throw new StorageError(
        `The role ${row.connected_as} may not use the schema that pgvector is in. An administrator has to run: GRANT USAGE ON SCHEMA ${quoteIdentifier(row.extension)} TO ${quoteIdentifier(row.connected_as)};`,
      );
    }
    if (!row.language_known) {
      throw new InvalidOptionsError(
        'language',
        `The text search configuration "${this.language}" does not exist in this database. Take one of pg_ts_config, such as english or simple.`,
      );
    }
    if (!row.tables_there) {
      throw new StorageError(
        `The schema "${this.schema}" has no tables of nestjs-engram. Run engramMigrations() with the DataSource, set "migrate: true" on the storage, or name the schema that has them.`,
      );
    }
    return quoteIdentifier(row.extension);
  }
}

function toExported(row: MemoryRow & { embedding: string | null }): ExportPage['memories'][number] {
  const { space, embedding } = row;
  const vector = space !== null && embedding !== null ? { space, values: JSON.parse(embedding) as number[] } : null;
  return { memory: toMemory(row), vector };
}

async function lockOrMakeScope(session: Session, scope: Scope): Promise<LockedScope> {
  const present = await lockScope(session, scope);
  if (present) return present;
  await makeScope(session, scope);
  const made = await lockScope(session, scope);
  if (!made) throw scopeVanished();
  return made;
}

async function queryOnce<Row>(dataSource: DataSource, sql: string, parameters: unknown[]): Promise<Row[]> {
  try {
    return await dataSource.query(sql, parameters);
  } catch (error) {
    throw storageFailure(error);
  }
}

function scopeVanished(): StorageError {
  return new StorageError(
    'The row of the scope could not be made. Check that nothing else deletes from memory_scopes.',
  );
}
