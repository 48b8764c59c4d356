import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ConflictError, MemoryService, NotFoundError, ProviderError } from 'nestjs-engram';
import type { Message, ObservationOptions } from 'nestjs-engram';
import { decided, extracted, memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';
import { until } from '../support/until.js';

const turn = (...contents: string[]): Message[] => contents.map((content) => ({ role: 'user', content }));
const down = (): Promise<never> =>
  Promise.reject(new ProviderError('scripted:model', 'unavailable', true, 'The service is down: retry later.'));

let app: MemoryApp;
const start = async (observation: ObservationOptions = {}): Promise<MemoryApp> =>
  (app = await memoryApp({ observation }));
afterEach(() => app.close());

describe('retrying a turn', () => {
  it('learns a dead turn, in the background', async () => {
    const memory = (await start({ maxFailures: 1 })).of('1');
    app.completion.answer(down, extracted('Is vegetarian'));
    const { turnId, status, error } = await memory.observe(turn('I am vegetarian'));
    expect({ status, error }).toEqual({ status: 'dead', error: 'PROVIDER_FAILED:unavailable' });
    expect(await memory.observe(turn('I am vegetarian'))).toMatchObject({ status: 'dead', duplicate: true });

    expect(await memory.retryObservation(turnId)).toMatchObject({ turnId, status: 'pending', error: null });
    await until(async () => (await memory.observation(turnId))?.status === 'applied');
    expect((await memory.list()).memories.map(({ content }) => content)).toEqual(['Is vegetarian']);
    expect(app.events.of('observation.queued')).toHaveLength(1);
  });

  it('says what it cannot retry, and why', async () => {
    const memory = (await start({ maxFailures: 1 })).of('1');
    await expect(memory.retryObservation('nonsense')).rejects.toThrow(NotFoundError);
    app.completion.answer(extracted('Is vegetarian'), down);
    const learned = await memory.observe(turn('I am vegetarian'));
    await expect(memory.retryObservation(learned.turnId)).rejects.toThrow(/applied, which is not a failure/);
    const dead = await memory.observe(turn('I live in Porto'));
    await expect(app.of('2').retryObservation(dead.turnId)).rejects.toThrow(NotFoundError);
    await memory.setEnabled(false);
    await expect(memory.retryObservation(dead.turnId)).rejects.toThrow(ConflictError);
    await memory.setEnabled(true);
    await expect(memory.retryObservation(dead.turnId)).rejects.toThrow(/messages of this turn are gone/);
  });

  it('can no longer retry what upkeep has cleared, and knows no turn that upkeep has dropped', async () => {
    const memory = (await start({ maxFailures: 1, keepFailedTurns: 0, keepTurns: null })).of('1');
    app.completion.answer(down);
    const { turnId } = await memory.observe(turn('I am vegetarian'));
    // The fixed clock of these tests stands before the store's: the moment lies ahead of what just ended.
    await app.store.turns.dropOld(memory.scope, {
      deadBefore: new Date(Date.now() + 1_000),
      endedBefore: null,
      limit: 10,
    });
    await expect(memory.retryObservation(turnId)).rejects.toThrow(/messages of this turn are gone/);
    expect((await memory.observation(turnId))?.status).toBe('dead');
  });
});

describe('a failing turn', () => {
  it('does not keep the caller behind it waiting for its pause to end', async () => {
    const memory = (await start({ retryDelayMs: 600_000 })).of('1');
    app.completion.answer(down);
    expect(await memory.observe(turn('I am vegetarian'))).toMatchObject({ status: 'failed' });
    const looks = jest.spyOn(app.store.turns, 'claim');
    expect(await memory.observe(turn('I live in Porto'))).toMatchObject({ status: 'pending' });
    // Who waits looks forty times a second.
    expect(looks.mock.calls.length).toBeLessThan(5);
  });

  it.each(['quota', 'unauthorized'] as const)(
    'waits minutes, not seconds, where only a person can help: %s',
    async (fault) => {
      const memory = (await start({ retryDelayMs: 1 })).of('1');
      app.completion.answer(() =>
        Promise.reject(new ProviderError('scripted:model', fault, false, 'The account has no credit left: top it up.')),
      );
      expect(await memory.observe(turn('I am vegetarian'))).toMatchObject({ status: 'failed' });
      const paused = await app.store.turns.pausedUntil(memory.scope);
      expect((paused?.getTime() ?? 0) - Date.now()).toBeGreaterThan(25_000);
    },
  );

  it('tells of one that keeps crashing its workers', async () => {
    const memory = (await start({ maxAttempts: 2 })).of('1');
    const scope = memory.scope;
    const { generation } = await app.store.scopeState(scope);
    await app.store.turns.insert(scope, {
      turnId: 'b',
      messages: turn('I live in Porto'),
      messagesHash: Buffer.from('b'),
      occurredAt: null,
      timeZone: null,
      generation,
    });
    // As workers that died: claimed, and never heard of again.
    for (let crash = 0; crash < 2; crash += 1) await app.store.turns.claim(scope, { leaseMs: 0 });
    app.completion.answer(extracted());
    await memory.observe(turn('I have a dog'), { turnId: 'c' });
    expect(await memory.observation('b')).toMatchObject({ status: 'dead', error: 'CRASHED' });
    expect(app.events.of('observation.failed')).toContainEqual(
      expect.objectContaining({ turnId: 'b', error: 'CRASHED', willRetry: false }),
    );
  });

  it('is given up when a policy of the app hangs', async () => {
    app = await memoryApp({
      observation: { modelTimeoutMs: 50 },
      policy: { check: () => new Promise(() => undefined), mask: (messages) => Promise.resolve([...messages]) },
    });
    app.completion.answer(extracted('Is vegetarian'));
    expect(await app.of('1').observe(turn('I am vegetarian'))).toMatchObject({
      status: 'failed',
      error: 'UNAVAILABLE',
    });
  });
});

describe('what turns cost', () => {
  it('is told of each turn, with its tokens', async () => {
    const memory = (await start()).of('1');
    const none = { add: 0, update: 0, forget: 0, noop: 0, merge: 0 };
    await memory.add('Is on the Pro plan');
    app.completion.answer(extracted('Is vegetarian', 'Password is hunter2-horse'), decided('add'), 'no JSON at all');
    await memory.observe(turn('I am vegetarian'));
    await memory.observe(turn('ok thanks'));
    await memory.observe(turn('I live in Porto'));
    const told = { durationMs: expect.any(Number), store: 'in-memory', turns: 1, attempt: 1 };
    expect(app.events.of('engram.turn')).toEqual([
      // One call of extraction, one of consolidation.
      {
        ...told,
        candidates: 2,
        rejected: 1,
        gated: false,
        counts: { ...none, add: 1 },
        inputTokens: 2,
        outputTokens: 2,
      },
      { ...told, candidates: 0, rejected: 0, gated: true, counts: none, inputTokens: 0, outputTokens: 0 },
      {
        ...told,
        candidates: 0,
        rejected: 0,
        gated: false,
        counts: none,
        inputTokens: 1,
        outputTokens: 1,
        error: 'PROVIDER_FAILED:malformed',
      },
    ]);
  });

  it('is nothing where a gate of the app says so', async () => {
    const memory = (
      await start({ gate: (messages) => messages.some(({ content }) => content.includes('remember')) })
    ).of('1');
    app.completion.answer(extracted('Is vegetarian'));
    expect(await memory.observe(turn('I am vegetarian'))).toMatchObject({ status: 'nothing' });
    expect(await memory.observe(turn('remember that I am vegetarian'))).toMatchObject({ status: 'applied' });
    expect(app.completion.requests).toHaveLength(1);
  });

  it('is one call for turns that wait together, each of which gets what it said', async () => {
    const memory = (await start({ debounce: { everyTurns: 3 } })).of('1');
    app.completion.answer(
      extracted(
        { content: 'Is vegetarian', kind: 'fact', importance: 0.5, message: 0 },
        { content: 'Lives in Porto', kind: 'fact', importance: 0.5, message: 3 },
      ),
    );
    await memory.observeLater(turn('I am vegetarian', 'really'), { turnId: 'a', occurredAt: new Date('2026-01-01') });
    await memory.observeLater(turn('ok thanks'), { turnId: 'b', occurredAt: new Date('2026-01-02') });
    await sleep(30);
    expect(app.completion.requests).toEqual([]);
    await memory.observeLater(turn('I live in Porto'), { turnId: 'c', occurredAt: new Date('2026-01-03') });
    await until(async () => (await memory.observation('c'))?.status === 'applied');

    expect(app.completion.requests).toHaveLength(1);
    const statuses = await Promise.all(['a', 'b', 'c'].map(async (id) => (await memory.observation(id))?.status));
    expect(statuses).toEqual(['applied', 'nothing', 'applied']);
    const ids = async (id: string): Promise<unknown> => (await memory.observation(id))?.decisions[0]?.memoryId;
    const byContent = new Map((await memory.list()).memories.map(({ content, id }) => [content, id]));
    expect(await ids('a')).toBe(byContent.get('Is vegetarian'));
    expect(await ids('c')).toBe(byContent.get('Lives in Porto'));
    expect(app.events.of('engram.turn')).toEqual([expect.objectContaining({ turns: 3, candidates: 2 })]);
  });

  it('is tried turn by turn after a merged call failed, so that one turn never takes the others along', async () => {
    const memory = (await start({ mergeTurns: 5, retryDelayMs: 1, maxFailures: 1, debounce: { everyTurns: 2 } })).of(
      '1',
    );
    app.completion.answer(down, 'no JSON at all', extracted('Lives in Porto'));
    await memory.observeLater(turn('I am vegetarian'), { turnId: 'a' });
    await memory.observeLater(turn('I live in Porto'), { turnId: 'b' });
    // The worker may be at the next try already, so the failure is read from the events.
    await until(() => app.events.of('observation.failed').length >= 2);
    await sleep(20);
    await app.module.get(MemoryService).for(memory.scope).observe(turn('ok thanks'));
    await until(async () => (await memory.observation('b'))?.status === 'applied');
    expect((await memory.observation('a'))?.status).toBe('dead');
  });

  it('is put off while a conversation goes on, but never for observe()', async () => {
    const memory = (await start({ mergeTurns: 1, debounce: { idleMs: 600_000 } })).of('1');
    app.completion.answer(extracted('Is vegetarian'), extracted('Lives in Porto'), decided('add'));
    await memory.observeLater(turn('I am vegetarian'), { turnId: 'a' });
    await sleep(30);
    expect((await memory.observation('a'))?.status).toBe('pending');
    expect(await memory.observe(turn('I live in Porto'), { turnId: 'b' })).toMatchObject({ status: 'applied' });
    expect((await memory.observation('a'))?.status).toBe('applied');
  });
});
