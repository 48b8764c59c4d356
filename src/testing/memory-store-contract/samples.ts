import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { contentHash } from '../../model/content.js';
import type { Scope } from '../../model/scope.js';
import { searchText } from '../../model/search-text.js';
import type { NewMemory, NewTurn, RecallQuery, SpaceVector } from '../../storage/memory-store.js';

export const SPACE = 'contract:plane:3';

export function newScope(scope = 'user:42'): Scope {
  return { tenantId: randomUUID(), scope };
}

export function plane(x: number, y: number, z: number): SpaceVector {
  return { space: SPACE, values: [x, y, z] };
}

export function newText(content: string, vector: SpaceVector = plane(1, 0, 0)) {
  return { content, contentHash: contentHash(content), searchText: searchText(content), vector };
}

export function newMemory(content: string, rest: Partial<NewMemory> = {}): NewMemory {
  return {
    id: randomUUID(),
    ...newText(content),
    kind: 'fact',
    importance: 0.5,
    metadata: {},
    source: 'manual',
    turnId: null,
    messageNo: null,
    evidenceAt: null,
    expiresAt: null,
    ...rest,
  };
}

export function newTurn(generation: string, rest: Partial<NewTurn>): NewTurn {
  return {
    turnId: randomUUID(),
    messages: [{ role: 'user', content: 'I keep bees.' }],
    messagesHash: hashOf('I keep bees.'),
    occurredAt: null,
    timeZone: null,
    generation,
    ...rest,
  };
}

/** Without thresholds: whatever has a score enters. */
export function query(
  of: { words?: string; vector?: readonly number[] } & Partial<Omit<RecallQuery, 'vector' | 'searchText'>>,
): RecallQuery {
  const { words = '', vector, ...rest } = of;
  return {
    searchText: searchText(words),
    vector: vector ? { space: SPACE, values: vector } : null,
    mode: 'hybrid',
    limit: 10,
    denseWeight: 0.5,
    maxDistance: null,
    minCoverage: null,
    minScore: null,
    ...rest,
  };
}

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function first<T>(values: readonly T[]): T {
  assert.ok(values.length > 0);
  return values[0] as T;
}

export function near(actual: number | null | undefined, expected: number): void {
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) < 1e-5,
    `${String(actual)} is not near ${expected}`,
  );
}

/** Numbers in -1..1, the same on every run (the generator of Numerical Recipes, chapter 7). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

export function cosineDistance(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
  return 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
