import type { Readable } from 'node:stream';
import type { MemoryLimits } from '../memory.options.js';
import type { ErasureReceipt } from '../model/erasure-receipt.js';
import type { Memory, RecalledMemory } from '../model/memory.js';
import type { Message } from '../model/message.js';
import type { Observation } from '../model/observation.js';
import type { PromptBlockMessage, PromptMessage } from '../model/prompt-block.js';
import type { ScopeSettings } from '../model/scope-settings.js';
import type { ScopeStats } from '../model/scope-stats.js';
import type { MemoryRevision } from '../model/revision.js';
import type { Scope } from '../model/scope.js';
import type { TransactionManager } from '../storage/memory-store.js';
import { addMany } from './add.js';
import type { AddResult } from './add.js';
import { forgetAll } from './erase.js';
import { exportMemories } from './export.js';
import type { ExportInput } from './export.js';
import { forgetStale } from './forget-stale.js';
import type { ForgetStaleInput } from './forget-stale.js';
import { forget } from './forget.js';
import type { ForgetOptions } from './forget.js';
import { histories, history } from './history.js';
import { joinTransaction, refuseInTransaction } from './host-transaction.js';
import { injectIntoMessages, injectIntoText, promptBlock } from './inject.js';
import type { InjectInput } from './inject.js';
import { get, getMany, list } from './list.js';
import type { GetInput, ListInput, ListedMemories } from './list.js';
import type { MemoryContext } from './memory-context.js';
import { findObservation, observe, observeLater } from './observe.js';
import type { AddMemory } from './prepare-memory.js';
import { rebuildEmbeddings } from './rebuild-embeddings.js';
import type { RebuildInput, RebuildSummary } from './rebuild-embeddings.js';
import { recall } from './recall.js';
import type { RecallInput } from './recall.js';
import { restore } from './restore.js';
import type { RestoreResult } from './restore.js';
import { retryObservation } from './retry-observation.js';
import { setEnabled, settings } from './settings.js';
import { stats } from './stats.js';
import type { ObserveInput } from './submit-turn.js';
import { update } from './update.js';
import type { UpdateMemory, UpdateResult } from './update.js';
import { validateOptions } from './validate-input.js';

/** Attributes of a memory to add, beside its content. */
export type AddOptions = Omit<AddMemory, 'content'>;

/** The memory of one scope; made by `MemoryService.for`. Every call stays inside that scope. */
export class ScopedMemory {
  constructor(
    private readonly context: MemoryContext,
    readonly scope: Scope,
  ) {}

  /** The sizes that calls accept, as `options.limits` set them. */
  get limits(): Required<MemoryLimits> {
    return this.context.settings.limits;
  }

  /**
   * The same memory inside your own TypeORM transaction: what it stores is there when that commits, together with what
   * you store, and events and wake-ups go out only then; a rollback leaves nothing and publishes nothing. A call that
   * throws takes back only itself. Runs on the transaction's connection, asks for no other, and sets no role.
   *
   * For `add`, `addMany`, `update`, `forget`, `restore`, `observeLater` and every read; `observe`, `rebuildEmbeddings`,
   * `export`, `forgetStale`, `retryObservation`, `forgetAll` and `setEnabled` throw. Texts are embedded while the transaction waits,
   * and writers of the scope wait until it ends: keep it short, and in one scope. Events can be lost in a crash right
   * after the commit. Savepoints count where TypeORM makes them (a nested `transaction()`), not as SQL texts of your own.
   *
   * @param entityManager what `dataSource.transaction(async (entityManager) => ...)` hands out, of any DataSource that
   *   reaches the tables; at READ COMMITTED, where it writes
   * @throws InvalidInputError where it has no active transaction, or is not of Postgres
   * @example
   * await dataSource.transaction(async (entityManager) => {
   *   await entityManager.save(order);
   *   await memory.within(entityManager).add('Ordered the blue bicycle.');
   * });
   */
  within(entityManager: TransactionManager): ScopedMemory {
    return new ScopedMemory(joinTransaction(this.context, validateOptions('entityManager', entityManager)), this.scope);
  }

  /**
   * Remembers one statement. An equal text that is known already keeps its id and gains importance, expiry and metadata.
   * @returns the memory, or why it was not kept (`secret`, `transient`, `denylisted`, `host-policy`, `disabled`)
   * @throws InvalidInputError for blank, over-long or malformed input
   */
  async add(content: string, options: AddOptions = {}): Promise<AddResult> {
    const [result] = await addMany(this.context, this.scope, [{ ...validateOptions('options', options), content }]);
    return result as AddResult;
  }

  /** Remembers many in one embedding batch and one transaction; all are stored, or, on a throw, none. */
  addMany(inputs: readonly AddMemory[]): Promise<AddResult[]> {
    return addMany(this.context, this.scope, inputs);
  }

  /** The memories that matter to `query`, best first. Nothing relevant gives an empty list. */
  async recall(query: string, options: RecallInput = {}): Promise<RecalledMemory[]> {
    return recall(this.context, this.scope, query, validateOptions('options', options));
  }

  /** The recalled memories as a block for a prompt; empty where nothing is relevant. */
  async promptBlock(query: string, options: RecallInput = {}): Promise<string> {
    return promptBlock(this.context, this.scope, query, validateOptions('options', options));
  }

  /** The prompt, or the messages, with the block of recalled memories in front. What is given is left untouched. */
  injectInto(prompt: string, options: InjectInput): Promise<string>;
  injectInto<M extends PromptMessage>(
    messages: readonly M[],
    options: InjectInput,
  ): Promise<(M | PromptBlockMessage)[]>;
  async injectInto<M extends PromptMessage>(
    promptOrMessages: string | readonly M[],
    options: InjectInput,
  ): Promise<string | (M | PromptBlockMessage)[]> {
    validateOptions('options', options);
    return typeof promptOrMessages === 'string'
      ? injectIntoText(this.context, this.scope, promptOrMessages, options)
      : injectIntoMessages(this.context, this.scope, promptOrMessages, options);
  }

  /**
   * Learns from a turn now: extracts, consolidates, stores. The same turn handed in again changes nothing.
   * A provider's failure does not throw: the turn is `failed`, kept, and tried again. An app that closes meanwhile leaves
   * it `pending`, for the next process.
   */
  async observe(messages: readonly Message[], options: ObserveInput = {}): Promise<Observation> {
    refuseInTransaction(this.context, 'observe');
    validateOptions('options', options);
    return this.context.handIns.track(observe(this.context, this.scope, messages, options));
  }

  /**
   * Learns from a turn in the background; durable as soon as it resolves. A call that nobody waits for is finished before
   * the app closes its storage.
   */
  async observeLater(messages: readonly Message[], options: ObserveInput = {}): Promise<Observation> {
    validateOptions('options', options);
    return this.context.handIns.track(observeLater(this.context, this.scope, messages, options));
  }

  /** Where a turn stands, or null for an id that is not in this scope. */
  observation(turnId: string): Promise<Observation | null> {
    return findObservation(this.context, this.scope, turnId);
  }

  /**
   * Tries a dead turn again in the background, or a failed one without waiting for its pause to end.
   * @throws NotFoundError for a turn that is not in this scope
   * @throws ConflictError for one that has not failed or whose messages are gone, and while memory is off
   */
  async retryObservation(turnId: string): Promise<Observation> {
    refuseInTransaction(this.context, 'retryObservation');
    return retryObservation(this.context, this.scope, turnId);
  }

  /** A page of memories, newest first; with `asOf` as they were at a moment. */
  async list(options: ListInput = {}): Promise<ListedMemories> {
    return list(this.context, this.scope, validateOptions('options', options));
  }

  /** One memory, or null for an id that is not in this scope; with `asOf` as it was at a moment. */
  async get(id: string, options: GetInput = {}): Promise<Memory | null> {
    return get(this.context, this.scope, id, validateOptions('options', options));
  }

  /** Same as `get` for at most 1,000 ids, by one statement: for each its memory or null, in the order of the ids. */
  getMany(ids: readonly string[]): Promise<(Memory | null)[]> {
    return getMany(this.context, this.scope, ids);
  }

  /** Changes a memory; a new text is checked and embedded like an added one. @throws NotFoundError, ConflictError */
  async update(id: string, change: UpdateMemory): Promise<UpdateResult> {
    return update(this.context, this.scope, id, validateOptions('change', change));
  }

  /**
   * Forgets a memory: gone from every read of the present, kept as a revision within the retention unless `purge` is
   * set. False for an id that is not in this scope.
   */
  async forget(id: string, options: ForgetOptions = {}): Promise<boolean> {
    return forget(this.context, this.scope, id, validateOptions('options', options));
  }

  /** The ended states of a memory, oldest first, of one that was forgotten or has expired too. Empty for an id that is not in this scope. */
  history(id: string): Promise<MemoryRevision[]> {
    return history(this.context, this.scope, id);
  }

  /** Same as `history` for at most 1,000 ids, by one statement: a list for each, in the order of the ids. */
  histories(ids: readonly string[]): Promise<MemoryRevision[][]> {
    return histories(this.context, this.scope, ids);
  }

  /**
   * Brings an earlier state back under the next version; a forgotten memory comes back under its id. The text is checked
   * like an added one, an expiry that has passed is left out, and a live memory of the same text is returned instead.
   * @throws NotFoundError for an id or version that this scope's history does not have
   */
  restore(id: string, version: number): Promise<RestoreResult> {
    return restore(this.context, this.scope, id, version);
  }

  /**
   * Forgets memories that were neither changed nor recalled since `olderThan` and are of less importance than
   * `minImportance`; as `forget` does, in batches. @returns how many
   */
  async forgetStale(options: ForgetStaleInput): Promise<number> {
    refuseInTransaction(this.context, 'forgetStale');
    return forgetStale(this.context, this.scope, options);
  }

  /**
   * Makes the present embedder's vectors for texts that lack them, after a change of model; again from where it stopped
   * if it was ended. @throws ProviderError when the embedder fails as a whole
   */
  async rebuildEmbeddings(options: RebuildInput = {}): Promise<RebuildSummary> {
    refuseInTransaction(this.context, 'rebuildEmbeddings');
    return rebuildEmbeddings(this.context, this.scope, validateOptions('options', options));
  }

  /**
   * The live memories as JSON Lines (`ExportedMemory`), in the order of their ids, one line a chunk: to iterate over, or
   * to pipe. Works while memory is off. Not one snapshot: what changes meanwhile is exported as it is when it is reached.
   * @returns a stream of strings that fails with ConflictError when the scope is erased before its end
   */
  export(options: ExportInput = {}): Readable {
    refuseInTransaction(this.context, 'export');
    return exportMemories(this.context, this.scope, validateOptions('options', options));
  }

  /**
   * Erases the scope: memories with their vectors, earlier states, turns with their messages, counts of recalls; all of
   * it, or, on a throw, none. Whatever is under way meanwhile (add, update, restore, export, observe) stops with
   * CONFLICT or ends before it, a turn that waits or runs is gone, and one that was said before is `rejected` from then
   * on. The switch stays as it was: who switched memory off does not have it on again by erasing.
   * Backups, replicas that lag and what a provider was sent are out of its reach.
   * @returns how much went, without content
   * @throws StorageError when the database kept something, UnavailableError past the lock time-out; nothing is erased then
   */
  async forgetAll(): Promise<ErasureReceipt> {
    refuseInTransaction(this.context, 'forgetAll');
    return forgetAll(this.context, this.scope);
  }

  /** What is set for this scope. */
  settings(): Promise<ScopeSettings> {
    return settings(this.context, this.scope);
  }

  /**
   * Switches memory on or off. While it is off nothing is learned or stored (`disabled`) and recall gives nothing,
   * without a provider call; `list`, `get`, `forget` and `forgetAll` go on working, so that people can see and delete.
   * Switching off drops the text of turns that were not learned yet; switching on again does not bring them back.
   */
  async setEnabled(enabled: boolean): Promise<ScopeSettings> {
    refuseInTransaction(this.context, 'setEnabled');
    return setEnabled(this.context, this.scope, enabled);
  }

  /** How much there is, counted now: live memories by kind, those without a vector of the present embedder, open and dead turns. */
  stats(): Promise<ScopeStats> {
    return stats(this.context, this.scope);
  }
}
