import type { DataSource, DataSourceOptions } from 'typeorm';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { NotFoundError } from '../../errors/not-found-error.js';
import { scopeKey } from '../../model/scope.js';
import type { Scope } from '../../model/scope.js';
import type { IndexedScopes } from '../memory-store.js';
import { buildScopeIndex, dropIndexInHaste } from './build-scope-index.js';
import { storageFailure } from './driver-error.js';
import { ifIndexTurn, requireDirectConnection } from './index-connection.js';
import { isOfWords, nearIndexPrefix, wordsIndexName } from './scope-index-name.js';
import { quoteIdentifier } from './sql-names.js';
import { findLargeScopes } from './statements/find-large-scopes.js';
import { listEmptyScopeIndexes, listScopeIndexes } from './statements/list-scope-indexes.js';

/** Memories of a scope from which it gets its indexes unless the host says otherwise (docs/scaling.md has the figures). */
export const INDEX_SCOPES_FROM = 5_000;

/** Scopes that get indexes here, the largest: each index makes planning a little slower for all others. */
const SCOPES_MAX = 50;

/** How long a scope is left alone whose index could not be made: a build that fails costs as much as one that does not. */
const LEFT_ALONE_MS = 60 * 60 * 1_000;

export interface IndexingOptions {
  /** Memories of a scope from which it gets its indexes. */
  readonly from: number;
  /** Nobody asked for it: where it is not possible, scopes stay without. */
  readonly ifPossible: boolean;
}

/** Gives scopes that have grown large their own indexes, as `createScopeIndex` does for one, and drops those of scopes that are gone. */
export class LargeScopeIndexing {
  private readonly leftAloneUntil = new Map<string, number>();
  private possible = true;

  constructor(
    private readonly dataSource: DataSource,
    private readonly schema: string,
    private readonly options: IndexingOptions,
  ) {}

  /**
   * Whether it may be done here at all, to be told at start and not by the first scope that has grown.
   *
   * @throws InvalidOptionsError where it was asked for and the connection is not the tables' owner's, is a pooler's, or is
   * the only one
   */
  async check(): Promise<void> {
    try {
      await this.requirePossible();
    } catch (error) {
      if (!this.options.ifPossible || !(error instanceof InvalidOptionsError)) throw error;
      this.possible = false;
    }
  }

  private async requirePossible(): Promise<void> {
    if (poolSizeOf(this.dataSource.options) === 1) {
      throw refused('takes a connection for the time of a build, and the pool has only one. Give it two or more.');
    }
    const queryRunner = this.dataSource.createQueryRunner();
    try {
      await requireDirectConnection(queryRunner, 'indexScopesFrom');
      const [tables]: { owner: string; owned: boolean; connected_as: string }[] = await queryRunner.query(
        `SELECT pg_catalog.pg_get_userbyid(relowner) AS owner, pg_catalog.pg_has_role(relowner, 'USAGE') AS owned,
                current_user::text AS connected_as
         FROM pg_catalog.pg_class WHERE oid = pg_catalog.to_regclass($1)`,
        [`${quoteIdentifier(this.schema)}.memories`],
      );
      if (tables?.owned) return;
      throw refused(
        `makes indexes on tables that are owned by ${tables?.owner ?? 'nobody yet'}, which the role ${tables?.connected_as ?? ''} is not. Leave the option out and call createScopeIndex as their owner, or connect as that role.`,
      );
    } catch (error) {
      throw storageFailure(error);
    } finally {
      await queryRunner.release();
    }
  }

  /** Nothing where another process is at it. */
  async run(signal?: AbortSignal): Promise<IndexedScopes> {
    if (!this.possible) return { indexed: 0, failed: 0 };
    const done = await ifIndexTurn(this.dataSource, { schema: this.schema }, async (connection) => {
      const { session } = connection;
      let [indexed, failed] = [0, 0];
      for (const name of await listEmptyScopeIndexes(session)) {
        if (signal?.aborted) break;
        await dropIndexInHaste(session, name).catch(() => (failed += 1));
      }
      const present = await listScopeIndexes(session);
      let room = SCOPES_MAX - present.filter(isOfWords).length;
      for (const scope of await findLargeScopes(session, { from: this.options.from, limit: SCOPES_MAX })) {
        if (signal?.aborted) break;
        const key = scopeKey(scope);
        // By name: to see which vectors they are for, every memory of the scope would have to be read, each time.
        if (hasIndexes(scope, present) || performance.now() < (this.leftAloneUntil.get(key) ?? -Infinity)) continue;
        const isNew = !present.includes(wordsIndexName(scope));
        if (isNew && room <= 0) continue;
        try {
          const { created } = await buildScopeIndex(connection, scope, { signal });
          if (created.length > 0) indexed += 1;
          if (isNew) room -= 1;
        } catch (error) {
          if (signal?.aborted) break;
          this.leftAloneUntil.set(key, performance.now() + LEFT_ALONE_MS);
          // A scope without vectors, or with vectors too long for an index, is no failure: there is nothing to be made.
          if (!(error instanceof NotFoundError || error instanceof InvalidInputError)) failed += 1;
        }
      }
      return { indexed, failed };
    });
    return done ?? { indexed: 0, failed: 0 };
  }
}

function hasIndexes(scope: Scope, names: readonly string[]): boolean {
  const near = nearIndexPrefix(scope);
  return names.includes(wordsIndexName(scope)) && names.some((name) => name.startsWith(near));
}

/** @throws InvalidOptionsError for anything but false and a whole number from 1,000 on, and under row level security */
export function checkIndexScopesFrom(option: number | false, rowLevelSecurity: boolean): number | null {
  if (option === false) return null;
  if (!Number.isSafeInteger(option) || option < 1_000 || option > 2_147_483_647) {
    throw refused(
      'must be a whole number from 1,000 on: below, comparing every memory is as fast. Take 5,000, or false for none.',
    );
  }
  if (rowLevelSecurity) {
    throw refused(
      'does not go with rowLevelSecurity, under which no connection sees how large the scopes are. Leave it out and call createScopeIndex as the owner of the tables.',
    );
  }
  return option;
}

/** pg's own default is ten. */
function poolSizeOf(options: DataSourceOptions): unknown {
  const { poolSize, extra } = options as { poolSize?: unknown; extra?: { max?: unknown } };
  return extra?.max ?? poolSize;
}

const refused = (why: string): InvalidOptionsError =>
  new InvalidOptionsError('indexScopesFrom', `Option indexScopesFrom ${why}`);
