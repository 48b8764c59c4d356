import { randomUUID } from 'node:crypto';
import type { ErasureReceipt } from '../model/erasure-receipt.js';
import { MEMORY_KINDS } from '../model/kind.js';
import type { MemoryKind } from '../model/kind.js';
import type { Memory } from '../model/memory.js';
import type { ScopeSettings } from '../model/scope-settings.js';
import type { ScopeStats } from '../model/scope-stats.js';
import { scopeKey } from '../model/scope.js';
import type { Scope } from '../model/scope.js';
import type {
  ExportPage,
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
  TurnLog,
} from '../storage/memory-store.js';
import { checkSpaceVector } from '../storage/space-vector.js';
import { InMemoryScopeWriter } from './in-memory/in-memory-scope-writer.js';
import { InMemoryTurnLog } from './in-memory/in-memory-turn-log.js';
import { recallFrom } from './in-memory/recall-from.js';
import { compareIds, historyOf, isLive, isOfKind, liveRows, toMemory, wordsOf } from './in-memory/rows.js';
import type { Row, ScopeData } from './in-memory/rows.js';
import { diedBefore, endedBefore, isOpen } from './in-memory/turns.js';

/**
 * A `MemoryStore` without a database, for tests of an application: the contract of the real one, gone with the process.
 * Words are matched in lower case as they stand: no stemming, no stop words.
 */
export class InMemoryMemoryStore implements MemoryStore {
  readonly adapter = 'in-memory';
  readonly turns: TurnLog = new InMemoryTurnLog(
    (scope) => this.data(scope),
    () => this.scopes.values(),
  );
  private readonly scopes = new Map<string, ScopeData>();
  private retention: Retention = { versions: 20 };

  async start({ retention }: { retention?: Retention } = {}): Promise<void> {
    if (retention) this.retention = retention;
  }

  async stop(): Promise<void> {
    this.scopes.clear();
  }

  async check(): Promise<void> {
    // Always there.
  }

  async scopeState(scope: Scope): Promise<ScopeState> {
    return this.data(scope).state;
  }

  async get(scope: Scope, id: string, asOf?: Date): Promise<Memory | null> {
    const row = liveRows(this.data(scope).rows, asOf).find((one) => one.id === id);
    return row ? toMemory(row) : null;
  }

  async getMany(scope: Scope, ids: readonly string[]): Promise<Memory[]> {
    return liveRows(this.data(scope).rows, undefined)
      .filter((row) => ids.includes(row.id))
      .map(toMemory);
  }

  async list(scope: Scope, query: MemoryPageQuery): Promise<MemoryPage> {
    const wanted = wordsOf(query.searchText ?? '');
    const matching = liveRows(this.data(scope).rows, query.asOf)
      .filter((row) => isOfKind(row, query.kinds))
      .filter((row) => [...wanted].every((word) => row.words.has(word)))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareIds(b.id, a.id));
    const { after } = query;
    const rest = after
      ? matching.filter((row) => {
          const newer = row.createdAt.getTime() - after.createdAt.getTime() || compareIds(row.id, after.id);
          return newer < 0;
        })
      : matching;
    return {
      memories: rest.slice(0, query.limit).map(toMemory),
      hasNextPage: rest.length > query.limit,
      totalCount: matching.length,
    };
  }

  async recall(scope: Scope, query: RecallQuery): Promise<RecallHit[]> {
    const { state, rows } = this.data(scope);
    return state.enabled ? recallFrom(liveRows(rows, query.asOf), query) : [];
  }

  async withoutVector(scope: Scope, { space, asOf }: { space: string; asOf: Date }): Promise<number> {
    return liveRows(this.data(scope).rows, asOf).filter((row) => row.space !== space).length;
  }

  async history(scope: Scope, id: string): Promise<StoredRevision[]> {
    return historyOf(this.data(scope).rows, id, this.retention);
  }

  async histories(scope: Scope, ids: readonly string[]): Promise<StoredRevision[]> {
    const { rows } = this.data(scope);
    return [...new Set(ids)].flatMap((id) => historyOf(rows, id, this.retention));
  }

  async revisionVector(scope: Scope, id: string, version: number): Promise<SpaceVector | null> {
    const { memories, revisions } = this.data(scope).rows;
    const present = memories.get(id);
    const expired = present && !isLive(present, Date.now()) ? [present] : [];
    const state = [...revisions.map(({ row }) => row), ...expired].find(
      (row) => row.id === id && row.version === version,
    );
    return state?.vector ?? null;
  }

  async dueForUpkeep(what: Parameters<MemoryStore['dueForUpkeep']>[0]): Promise<Scope[]> {
    const due: Scope[] = [];
    for (const { scope, rows } of this.scopes.values()) {
      const { revisionsEndedBefore: end } = what;
      const expired = [...rows.memories.values()].some((row) => !isLive(row, Date.now()));
      const revised = end && rows.revisions.some(({ validTo }) => validTo < end);
      const { deadBefore = null, endedBefore: turnsBefore = null } = what.turns ?? {};
      const old = [...rows.turns.values()].some(
        (turn) => diedBefore(turn, deadBefore) || endedBefore(turn, turnsBefore),
      );
      if (expired || revised || old) due.push(scope);
    }
    return due.slice(0, what.limit);
  }

  async write<T>(scope: Scope, work: (writer: ScopeWriter) => Promise<T>): Promise<T> {
    const data = this.data(scope);
    const turn = data.writers.then(async () => {
      const { state, clock } = data;
      const memories = new Map(data.rows.memories);
      const { revisions } = data.rows;
      const stamp = Math.max(Date.now(), data.clock + 1);
      const writer = new InMemoryScopeWriter(data, new Date(stamp), this.retention);
      try {
        const result = await work(writer);
        writer.complete();
        return result;
      } catch (error) {
        data.state = state;
        data.clock = clock;
        data.rows = { memories, revisions, turns: data.rows.turns };
        writer.reopenTurns();
        throw error;
      }
    });
    data.writers = turn.catch(() => undefined);
    return turn;
  }

  async touch(scope: Scope, ids: readonly string[]): Promise<void> {
    const { memories } = this.data(scope).rows;
    for (const id of ids) {
      const row = memories.get(id);
      if (row) memories.set(id, { ...row, lastAccessedAt: new Date(), accessCount: row.accessCount + 1 });
    }
  }

  async stats(scope: Scope, space: string | null): Promise<ScopeStats> {
    const { memories, turns } = this.data(scope).rows;
    const live = [...memories.values()].filter((row) => isLive(row, Date.now()));
    const count = (kind: MemoryKind): number => live.filter((row) => row.kind === kind).length;
    return {
      total: live.length,
      byKind: Object.fromEntries(MEMORY_KINDS.map((kind) => [kind, count(kind)])) as Record<MemoryKind, number>,
      staleEmbeddings: space === null ? 0 : live.filter((row) => row.space !== space).length,
      pendingTurns: [...turns.values()].filter(isOpen).length,
      deadTurns: [...turns.values()].filter((turn) => turn.status === 'dead').length,
    };
  }

  async textsToEmbed(
    scope: Scope,
    page: { space: string; staleOnly: boolean; after: TextPosition | null; limit: number },
  ): Promise<StoredText[]> {
    const { memories, revisions } = this.data(scope).rows;
    const { after } = page;
    const text = (row: Row, ended: boolean): StoredText => ({
      memoryId: row.id,
      version: row.version,
      ended,
      content: row.content,
      space: row.space,
    });
    return [...[...memories.values()].map((row) => text(row, false)), ...revisions.map(({ row }) => text(row, true))]
      .filter((one) => !page.staleOnly || one.space !== page.space)
      .filter((one) => !after || (compareIds(one.memoryId, after.memoryId) || after.version - one.version) > 0)
      .sort((a, b) => compareIds(a.memoryId, b.memoryId) || b.version - a.version)
      .slice(0, page.limit);
  }

  async replaceVector(scope: Scope, text: StoredText, vector: SpaceVector): Promise<boolean> {
    checkSpaceVector(vector);
    const { rows } = this.data(scope);
    const isMeant = (row: Row): boolean => row.content === text.content && row.space === text.space;
    const { space } = vector;
    if (!text.ended) {
      const row = rows.memories.get(text.memoryId);
      if (!row || !isMeant(row)) return false;
      rows.memories.set(row.id, { ...row, vector, space });
      return true;
    }
    const meant = rows.revisions.find(
      ({ row }) => row.id === text.memoryId && row.version === text.version && isMeant(row),
    );
    rows.revisions = rows.revisions.map((ended) =>
      ended === meant ? { ...ended, row: { ...ended.row, vector, space } } : ended,
    );
    return meant !== undefined;
  }

  async exportPage(
    scope: Scope,
    page: { after: string | null; limit: number; withVectors: boolean },
  ): Promise<ExportPage> {
    const { state, rows } = this.data(scope);
    const { after } = page;
    return {
      generation: state.generation,
      memories: liveRows(rows, undefined)
        .filter((row) => after === null || compareIds(row.id, after) > 0)
        .sort((a, b) => compareIds(a.id, b.id))
        .slice(0, page.limit)
        .map((row) => ({ memory: toMemory(row), vector: page.withVectors ? row.vector : null })),
    };
  }

  async settings(scope: Scope): Promise<ScopeSettings> {
    return { enabled: this.data(scope).state.enabled };
  }

  async setEnabled(scope: Scope, enabled: boolean, onLocked?: () => void): Promise<SwitchedScope | null> {
    return this.alone(scope, (data, at) => {
      onLocked?.();
      if (data.state.enabled === enabled) return null;
      let droppedTurns = 0;
      for (const turn of enabled ? [] : data.rows.turns.values()) {
        if (turn.messages === null) continue;
        const status = turn.status === 'dead' ? turn.status : 'disabled';
        const finishedAt = turn.finishedAt ?? Date.now();
        data.rows.turns.set(turn.turnId, {
          ...turn,
          status,
          messages: null,
          context: [],
          barred: [],
          claim: null,
          finishedAt,
        });
        droppedTurns += 1;
      }
      data.state = { ...data.state, enabled, revision: data.state.revision + 1 };
      return { at, droppedTurns };
    });
  }

  async erase(scope: Scope, onLocked?: () => void): Promise<ErasureReceipt> {
    return this.alone(scope, (data, erasedAt) => {
      onLocked?.();
      const { memories, revisions, turns } = data.rows;
      const generation = randomUUID();
      data.rows = { memories: new Map(), revisions: [], turns: new Map() };
      data.state = { ...data.state, generation, erasedAt, revision: data.state.revision + 1 };
      return {
        id: generation,
        erasedAt,
        memories: memories.size,
        revisions: revisions.length,
        turns: turns.size,
        accesses: [...memories.values()].filter((row) => row.accessCount > 0).length,
      };
    });
  }

  /** Behind every writer in line, under a stamp of its own. */
  private async alone<T>(scope: Scope, change: (data: ScopeData, stamp: Date) => T): Promise<T> {
    const data = this.data(scope);
    const result = data.writers.then(() => {
      data.clock = Math.max(Date.now(), data.clock + 1);
      return change(data, new Date(data.clock));
    });
    data.writers = result.catch(() => undefined);
    return result;
  }

  private data(scope: Scope): ScopeData {
    const key = scopeKey(scope);
    let data = this.scopes.get(key);
    if (!data) {
      data = {
        scope: { tenantId: scope.tenantId, scope: scope.scope },
        state: { enabled: true, generation: randomUUID(), revision: 0, erasedAt: null },
        clock: 0,
        rows: { memories: new Map(), revisions: [], turns: new Map() },
        writers: Promise.resolve(),
      };
      this.scopes.set(key, data);
    }
    return data;
  }
}
