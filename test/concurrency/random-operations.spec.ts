import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Memory, MemoryRevision, ScopedMemory } from 'nestjs-engram';
import { contentHash } from '../../src/model/content.js';
import { scopeKey } from '../../src/model/scope.js';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';
import { Random } from '../support/random.js';
import { until } from '../support/until.js';
import { randomCall, RandomCompletion } from './random-memory.js';

/** Another one finds other sequences: ENGRAM_SEED=7 npm test -- random-operations */
const SEED = Number(process.env['ENGRAM_SEED'] ?? 1);
const ROUNDS = Number(process.env['ENGRAM_ROUNDS'] ?? 120);

/** What a call may be refused with; anything else is a fault of ours. */
const REFUSALS = ['CONFLICT', 'NOT_FOUND', 'FORBIDDEN'];

interface Row {
  readonly id: string;
  readonly version: number;
  readonly valid_from: Date;
  readonly content: string;
  readonly content_hash: string;
  readonly terms: number;
}

interface Moment {
  readonly at: Date;
  readonly generation: string;
  readonly memories: readonly Memory[];
}

// Real: the module, TypeORM, Postgres, its locks. Played: embedder and model.
describe(`whatever is called in whatever order and at once (seed ${SEED})`, () => {
  let app: PostgresApp;
  let memories: ScopedMemory[];
  const random = new Random(SEED);
  /** What a listener knows that heard every event, by scope: live ids with their versions. */
  const heard = new Map<string, Map<string, number>>();
  /** Ids that were there once, by scope. */
  const known = new Map<string, Set<string>>();
  const moments = new Map<string, Moment[]>();

  beforeAll(async () => {
    app = await openPostgresApp({
      completion: new RandomCompletion(new Random(SEED + 1)),
      observation: { maxFailures: 2, retryDelayMs: 1, mergeTurns: 3, debounce: { idleMs: 5, everyTurns: 2 } },
      circuit: { failures: 1_000_000 },
      retention: { versions: null },
    });
    memories = ['ana', 'ben'].map((user) => app.of(user));
    app.service.onEvent(({ name, payload }) => {
      if (!('tenantId' in payload)) return;
      const key = scopeKey(payload);
      const live = heard.get(key) ?? new Map<string, number>();
      heard.set(key, live);
      if (name === 'memory.erased') live.clear();
      if (!('memoryId' in payload)) return;
      known.set(key, (known.get(key) ?? new Set()).add(payload.memoryId));
      if (name === 'memory.forgotten' || name === 'memory.expired') live.delete(payload.memoryId);
      else live.set(payload.memoryId, payload.version);
    });
  });
  afterAll(() => app.close());

  const listed = async (memory: ScopedMemory, asOf?: Date): Promise<readonly Memory[]> =>
    (await memory.list({ first: 100, ...(asOf && { asOf }) })).memories;
  /** Access counts are no part of a state. */
  const states = (found: readonly Memory[]): unknown =>
    found.map(({ lastAccessedAt: _, accessCount: __, ...state }) => state);

  async function rows<T>(memory: ScopedMemory, sql: string): Promise<T[]> {
    const { tenantId, scope } = memory.scope;
    return app.dataSource.query<T[]>(sql, [tenantId, scope]);
  }

  /** States of one memory follow each other: none twice, none at once with another, no gap but where it was gone. */
  function expectContiguous(
    history: readonly MemoryRevision[],
    row: { version: number; valid_from: Date } | undefined,
  ): void {
    for (const [place, state] of history.entries()) {
      expect(state.validTo.getTime()).toBeGreaterThan(state.validFrom.getTime());
      const next = history[place + 1] ?? (row && { version: row.version, validFrom: row.valid_from });
      const goesOn = state.endedBy === 'update' || state.endedBy === 'restore';
      if (next) {
        expect(next.version).toBe(state.version + 1);
        if (goesOn) expect(next.validFrom).toEqual(state.validTo);
        else expect(next.validFrom.getTime()).toBeGreaterThanOrEqual(state.validTo.getTime());
      }
      expect({ state, isLast: !next, goesOn }).not.toMatchObject({ isLast: true, goesOn: true });
    }
  }

  async function expectSound(memory: ScopedMemory): Promise<void> {
    const key = scopeKey(memory.scope);
    const [scope] = await rows<{ clock: Date; generation: string; docs: number; terms: string }>(
      memory,
      `SELECT clock, generation, docs, terms FROM engram.memory_scopes
       WHERE tenant_id = $1 AND scope = $2 AND clock > '-infinity'`,
    );
    if (!scope) return;
    const stored = await rows<Row>(
      memory,
      'SELECT id, version, valid_from, content, content_hash, terms FROM engram.memories WHERE tenant_id = $1 AND scope = $2',
    );
    // One memory for each text, and counters that count what is there.
    for (const { content, content_hash: hash } of stored) expect(hash).toBe(contentHash(content));
    expect(new Set(stored.map(({ content }) => contentHash(content))).size).toBe(stored.length);
    expect([scope.docs, Number(scope.terms)]).toEqual([
      stored.length,
      stored.reduce((sum, { terms }) => sum + terms, 0),
    ]);
    // Who has heard every event knows what is there.
    const live = Object.fromEntries(stored.map(({ id, version }) => [id, version]));
    await until(() => {
      const told = heard.get(key) ?? new Map<string, number>();
      return told.size === stored.length && stored.every(({ id, version }) => told.get(id) === version);
    }).catch(() => expect(Object.fromEntries(heard.get(key) ?? [])).toEqual(live));

    const ids = [...(known.get(key) ?? [])];
    for (const [place, history] of (await memory.histories(ids)).entries()) {
      expectContiguous(
        history,
        // What has expired is in its history, whether its row is still there or not.
        stored.find(({ id, version }) => id === ids[place] && version !== history.at(-1)?.version),
      );
    }

    // The past stays as it was, but for what an erasure or a purge took away.
    const before = (moments.get(key) ?? []).filter(({ generation }) => generation === scope.generation);
    for (const { at, memories: then } of before) {
      const kept = new Set((await memory.histories(then.map(({ id }) => id))).flat().map(({ memoryId }) => memoryId));
      const isLeft = ({ id }: Memory): boolean => kept.has(id) || Object.hasOwn(live, id);
      expect(states((await listed(memory, at)).filter(isLeft))).toEqual(states(then.filter(isLeft)));
    }
    moments.set(key, [
      ...before.slice(-4),
      { at: scope.clock, generation: scope.generation, memories: await listed(memory, scope.clock) },
    ]);

    const [turns] = await rows<{ open: string; withText: string; running: string }>(
      memory,
      `SELECT count(*) FILTER (WHERE status IN ('pending', 'running', 'failed')) AS open,
              count(*) FILTER (WHERE messages IS NOT NULL AND status NOT IN ('pending', 'running', 'failed', 'dead')) AS "withText",
              count(*) FILTER (WHERE status = 'running') AS running
       FROM engram.memory_turns WHERE tenant_id = $1 AND scope = $2`,
    );
    expect(turns).toMatchObject({ withText: '0', running: '0' });
    expect((await memory.stats()).pendingTurns).toBe(Number(turns?.open));
  }

  it('leaves one memory for each text, a history without gaps, a past that stays and events that tell all of it', async () => {
    const outcomes: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      const calls = Array.from({ length: 1 + random.upTo(3) }, () => {
        const memory = random.of(memories);
        return randomCall(random, memory, app.dataSource, [...(known.get(scopeKey(memory.scope)) ?? [])]);
      });
      if (random.chance(0.2)) calls.push(() => app.service.upkeep());
      for (const result of await Promise.allSettled(calls.map((call) => call()))) {
        const { code, message } = (result.status === 'rejected' ? result.reason : {}) as Record<string, string>;
        const outcome = code ?? message ?? 'done';
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (result.status === 'rejected' && !REFUSALS.includes(code ?? '') && !message?.startsWith('The host takes'))
          throw result.reason as Error;
      }
      for (const memory of memories) await expectSound(memory);
    }
    expect(outcomes['done']).toBeGreaterThan(ROUNDS / 2);
    if (process.env['ENGRAM_SEED']) console.log(outcomes);
  });

  it('leaves nothing of a scope that is erased in the end', async () => {
    for (const memory of memories) {
      const at = new Date();
      await memory.forgetAll();
      for (const table of ['memories', 'memory_revisions', 'memory_access', 'memory_turns']) {
        expect(await rows(memory, `SELECT 1 FROM engram.${table} WHERE tenant_id = $1 AND scope = $2`)).toEqual([]);
      }
      expect(await listed(memory, at)).toEqual([]);
    }
  });
});
