import type { DataSource, EntityManager, EntitySubscriberInterface, QueryRunner } from 'typeorm';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import { hasCommitted } from './statements/has-committed.js';

/** Something to do after the commit, and how deep in savepoints it was asked for. */
interface Effect {
  readonly depth: number;
  readonly run: () => void;
  /** Called instead, where there is no commit. */
  readonly undone: () => void;
}

/** Transactions that calls have joined and that have not ended yet. */
const open = new WeakMap<QueryRunner, HostTransaction>();

/**
 * The transaction that a host began on its own connection. Knows when it ends, by TypeORM's hooks: a commit or rollback
 * by an SQL text of the host's own is not seen, and neither is a savepoint of that kind.
 */
export class HostTransaction {
  private effects: Effect[] = [];
  /** Savepoints deeper, or shallower, than where the first call joined. */
  private depth = 0;
  private lastCall: Promise<unknown> = Promise.resolve();
  private outcome: 'open' | 'committed' | 'rolled back' = 'open';
  /** Of the first write; none where there was none. */
  private transactionId: string | null = null;

  private constructor(readonly queryRunner: QueryRunner) {}

  /** @throws InvalidInputError where the manager has no Postgres transaction under way */
  static joinedBy(manager: EntityManager): HostTransaction {
    const { queryRunner } = manager;
    if (!queryRunner?.isTransactionActive || queryRunner.isReleased) {
      throw new InvalidInputError(
        'entityManager',
        'entityManager has no active transaction. Give the one that dataSource.transaction(async (entityManager) => ...) hands you, while it lasts.',
      );
    }
    // TypeORM below 1.0 knows the DataSource as `connection` only.
    const dataSource = queryRunner.manager.dataSource ?? queryRunner.manager.connection;
    const { type } = dataSource.options;
    if (type !== 'postgres') {
      throw new InvalidInputError(
        'entityManager',
        `entityManager is of a DataSource of type ${type}; memories are in postgres. Give one of the DataSource that reaches them.`,
      );
    }
    watch(dataSource);
    let transaction = open.get(queryRunner);
    if (!transaction) {
      transaction = new HostTransaction(queryRunner);
      open.set(queryRunner, transaction);
    }
    return transaction;
  }

  /** One call at a time: a second one's savepoint inside the first's would be released with it. */
  inTurn<T>(call: () => Promise<T>): Promise<T> {
    const result = this.lastCall.then(() => {
      if (this.outcome !== 'open' || !this.queryRunner.isTransactionActive) throw endedAlready();
      return call();
    });
    this.lastCall = result.catch(() => undefined);
    return result;
  }

  wrote(transactionId: string): void {
    this.transactionId ??= transactionId;
  }

  /** Effects run in the order they were given, once the outermost transaction is committed. */
  afterCommit(run: () => void, undone: () => void = () => undefined): void {
    if (this.outcome === 'committed') run();
    else if (this.outcome === 'open') this.effects.push({ depth: this.depth, run, undone });
    else undone();
  }

  savepointMade(): void {
    this.depth += 1;
  }

  /** What happened inside it counts as having happened outside. */
  savepointReleased(): void {
    this.depth -= 1;
    this.effects = this.effects.map((effect) => ({ ...effect, depth: Math.min(effect.depth, this.depth) }));
  }

  savepointRolledBack(): void {
    const undone = this.effects.filter(({ depth }) => depth >= this.depth);
    this.effects = this.effects.filter(({ depth }) => depth < this.depth);
    this.depth -= 1;
    for (const effect of undone) effect.undone();
  }

  /** Postgres answers COMMIT of a transaction in which a statement failed with a rollback and no error, so it is asked. */
  async committed(): Promise<void> {
    const kept = this.transactionId === null || (await hasCommitted(this.queryRunner, this.transactionId));
    this.end(kept ? 'committed' : 'rolled back');
  }

  rolledBack(): void {
    this.end('rolled back');
  }

  private end(outcome: 'committed' | 'rolled back'): void {
    open.delete(this.queryRunner);
    this.outcome = outcome;
    const { effects } = this;
    this.effects = [];
    for (const { run, undone } of effects) {
      if (outcome === 'committed') run();
      else undone();
    }
  }
}

/** TypeORM calls these for savepoints as well as for transactions; which of the two, the runner's flag tells. */
const endings: EntitySubscriberInterface = {
  afterTransactionStart: ({ queryRunner }) => open.get(queryRunner)?.savepointMade(),
  afterTransactionCommit: ({ queryRunner }) => {
    const transaction = open.get(queryRunner);
    return queryRunner.isTransactionActive ? transaction?.savepointReleased() : transaction?.committed();
  },
  afterTransactionRollback: ({ queryRunner }) => {
    const transaction = open.get(queryRunner);
    if (queryRunner.isTransactionActive) transaction?.savepointRolledBack();
    else transaction?.rolledBack();
  },
};

/**
 * Asks each time: a DataSource that is connected anew has a new list. In front: TypeORM calls nobody behind a subscriber
 * of the host that throws, and the transaction has ended all the same.
 */
function watch({ subscribers }: DataSource): void {
  if (!subscribers.includes(endings)) subscribers.unshift(endings);
}

function endedAlready(): InvalidInputError {
  return new InvalidInputError(
    'entityManager',
    'The transaction of entityManager has ended. Await every call inside it, and call within() anew in the next one.',
  );
}
