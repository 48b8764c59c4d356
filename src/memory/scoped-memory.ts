import type { Memory, RecalledMemory } from '../model/memory.js';
import type { Message } from '../model/message.js';
import type { Observation } from '../model/observation.js';
import type { PromptBlockMessage, PromptMessage } from '../model/prompt-block.js';
import type { Scope } from '../model/scope.js';
import { addMany } from './add.js';
import type { AddResult } from './add.js';
import { forget } from './forget.js';
import { injectIntoMessages, injectIntoText, promptBlock } from './inject.js';
import type { InjectInput } from './inject.js';
import { get, list } from './list.js';
import type { ListInput, ListedMemories } from './list.js';
import type { MemoryContext } from './memory-context.js';
import { findObservation, observe, observeLater } from './observe.js';
import type { AddMemory } from './prepare-memory.js';
import { recall } from './recall.js';
import type { RecallInput } from './recall.js';
import type { ObserveInput } from './submit-turn.js';
import { update } from './update.js';
import type { UpdateMemory, UpdateResult } from './update.js';

/** Attributes of a memory to add, beside its content. */
export type AddOptions = Omit<AddMemory, 'content'>;

/** The memory of one scope; made by `MemoryService.for`. Every call stays inside that scope. */
export class ScopedMemory {
  constructor(
    private readonly context: MemoryContext,
    readonly scope: Scope,
  ) {}

  /**
   * Remembers one statement. An equal text that is known already keeps its id and gains importance, expiry and metadata.
   * @returns the memory, or why it was not kept (`secret`, `transient`, `denylisted`, `host-policy`, `disabled`)
   * @throws InvalidInputError for blank, over-long or malformed input
   */
  async add(content: string, options: AddOptions = {}): Promise<AddResult> {
    const [result] = await addMany(this.context, this.scope, [{ ...options, content }]);
    return result as AddResult;
  }

  /** Remembers many in one embedding batch and one transaction; all are stored, or, on a throw, none. */
  addMany(inputs: readonly AddMemory[]): Promise<AddResult[]> {
    return addMany(this.context, this.scope, inputs);
  }

  /** The memories that matter to `query`, best first. Nothing relevant gives an empty list. */
  recall(query: string, options: RecallInput = {}): Promise<RecalledMemory[]> {
    return recall(this.context, this.scope, query, options);
  }

  /** The recalled memories as a block for a prompt; empty where nothing is relevant. */
  promptBlock(query: string, options: RecallInput = {}): Promise<string> {
    return promptBlock(this.context, this.scope, query, options);
  }

  /** The prompt, or the messages, with the block of recalled memories in front. What is given is left untouched. */
  injectInto(prompt: string, options: InjectInput): Promise<string>;
  injectInto<M extends PromptMessage>(
    messages: readonly M[],
    options: InjectInput,
  ): Promise<(M | PromptBlockMessage)[]>;
  injectInto<M extends PromptMessage>(
    promptOrMessages: string | readonly M[],
    options: InjectInput,
  ): Promise<string | (M | PromptBlockMessage)[]> {
    return typeof promptOrMessages === 'string'
      ? injectIntoText(this.context, this.scope, promptOrMessages, options)
      : injectIntoMessages(this.context, this.scope, promptOrMessages, options);
  }

  /**
   * Learns from a turn now: extracts, consolidates, stores. The same turn handed in again changes nothing.
   * A provider's failure does not throw: the turn is `failed`, kept, and tried again.
   */
  observe(messages: readonly Message[], options: ObserveInput = {}): Promise<Observation> {
    return observe(this.context, this.scope, messages, options);
  }

  /** Learns from a turn in the background; durable as soon as it resolves. */
  observeLater(messages: readonly Message[], options: ObserveInput = {}): Promise<Observation> {
    return observeLater(this.context, this.scope, messages, options);
  }

  /** Where a turn stands, or null for an id that is not in this scope. */
  observation(turnId: string): Promise<Observation | null> {
    return findObservation(this.context, this.scope, turnId);
  }

  /** A page of memories, newest first. */
  list(options: ListInput = {}): Promise<ListedMemories> {
    return list(this.context, this.scope, options);
  }

  /** One memory, or null for an id that is not in this scope. */
  get(id: string): Promise<Memory | null> {
    return get(this.context, this.scope, id);
  }

  /** Changes a memory; a new text is checked and embedded like an added one. @throws NotFoundError, ConflictError */
  update(id: string, change: UpdateMemory): Promise<UpdateResult> {
    return update(this.context, this.scope, id, change);
  }

  /** Forgets a memory. False for an id that is not in this scope. */
  forget(id: string): Promise<boolean> {
    return forget(this.context, this.scope, id);
  }
}
