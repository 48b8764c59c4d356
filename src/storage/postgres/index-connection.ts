import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { storageFailure } from './driver-error.js';
import { canPrepare } from './prepared-statement.js';
import type { PreparingConnection } from './prepared-statement.js';
import { Session } from './session.js';
import { quoteIdentifier } from './sql-names.js';
import { endIndexTurn, tryIndexTurn } from './statements/index-turn.js';

/** How often one that waits for another's build asks whether that has ended. */
const TURN_PERIOD_MS = 250;

export interface ScopeIndexOptions {
  /** Schema of our tables. @default 'engram' */
  readonly schema?: string;
}

/** The connection on which indexes of scopes are made and dropped, while it is the only one of its schema that does so. */
export interface IndexConnection {
  readonly dataSource: DataSource;
  readonly queryRunner: QueryRunner;
  readonly session: Session;
}

/** Waits for its turn. @throws InvalidOptionsError where the connection is a pooler's */
export function inIndexTurn<T>(
  dataSource: DataSource,
  options: ScopeIndexOptions,
  work: (connection: IndexConnection) => Promise<T>,
): Promise<T> {
  return onOneConnection(dataSource, options, async (connection) => {
    while (!(await tryIndexTurn(connection.session))) await sleep(TURN_PERIOD_MS);
    return inTurn(connection, work);
  });
}

/** The same, unless another has the turn. @returns null then */
export function ifIndexTurn<T>(
  dataSource: DataSource,
  options: ScopeIndexOptions,
  work: (connection: IndexConnection) => Promise<T>,
): Promise<T | null> {
  return onOneConnection(dataSource, options, async (connection) =>
    (await tryIndexTurn(connection.session)) ? inTurn(connection, work) : null,
  );
}

/** A pooler would give the turn, and the memory for a build, to a session that stays with nobody. */
export async function requireDirectConnection(queryRunner: QueryRunner, option: string): Promise<void> {
  if (await canPrepare((await queryRunner.connect()) as PreparingConnection)) return;
  throw new InvalidOptionsError(
    option,
    'Indexes of a scope are made over a direct connection, and this one goes through a pooler that shares the sessions of the server. Give a DataSource that connects to the server itself.',
  );
}

async function onOneConnection<T>(
  dataSource: DataSource,
  { schema = 'engram' }: ScopeIndexOptions,
  work: (connection: IndexConnection) => Promise<T>,
): Promise<T> {
  const queryRunner = dataSource.createQueryRunner();
  try {
    const extension: { schema: string }[] = await queryRunner.query(
      `SELECT n.nspname AS schema FROM pg_catalog.pg_extension e
       JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
    );
    const names = {
      schema: quoteIdentifier(schema),
      extension: quoteIdentifier(extension[0]?.schema ?? 'public'),
    };
    await requireDirectConnection(queryRunner, 'dataSource');
    return await work({ dataSource, queryRunner, session: new Session(queryRunner, names, 'simple') });
  } catch (error) {
    throw storageFailure(error);
  } finally {
    await queryRunner.release();
  }
}

/** Two builds on one table at once would wait for each other, and what another is building looks like what it left. */
async function inTurn<T>(connection: IndexConnection, work: (connection: IndexConnection) => Promise<T>): Promise<T> {
  try {
    return await work(connection);
  } finally {
    // A connection that is gone has given its turn back.
    await endIndexTurn(connection.session).catch(() => undefined);
  }
}
