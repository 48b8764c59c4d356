import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ProviderError } from 'nestjs-engram';
import type { Message, ScopedMemory } from 'nestjs-engram';
import { decided, extracted, memoryApp } from '../memory/memory-app.js';
import type { MemoryApp } from '../memory/memory-app.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';
import { wholeDatabase } from '../support/whole-database.js';

/** No word of any language, so that neither stemming nor chance changes it. */
const SENTINEL = 'zyxqv';

// Real: the module, the policy, Postgres with its catalog. Doubles: embedder, completion, events.
describe('an erased text', () => {
  let database: PostgresStoreUnderTest;
  let app: MemoryApp;
  let memory: ScopedMemory;
  const said: unknown[] = [];
  const errors: unknown[] = [];

  const say = (text: string): Message[] => [{ role: 'user', content: `${text} ${SENTINEL}` }];
  const refused = async (call: Promise<unknown>): Promise<void> => {
    errors.push(
      await call.then(
        () => {
          throw new Error('was not refused');
        },
        (error: unknown) => error,
      ),
    );
  };
  const has = (text: string): boolean => text.toLowerCase().includes(SENTINEL);

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, 'write').mockImplementation((text) => Boolean(said.push(String(text))));
    const keep = (...texts: unknown[]): void => void said.push(...texts);
    Logger.overrideLogger({ log: keep, error: keep, warn: keep, debug: keep, verbose: keep, fatal: keep });
    database = await openPostgresStore();
    app = await memoryApp({ storage: { adapter: 'postgres', create: () => database.store } });
    memory = app.of('1');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    Logger.overrideLogger(true);
    await app.close();
    await database.close();
  });

  it('went through every door', async () => {
    const { memory: first } = await memory.add(`Is called ${SENTINEL}`, { metadata: { [SENTINEL]: [SENTINEL] } });
    const { memory: second } = await memory.add(`Lives in ${SENTINEL}`);
    await memory.update(first?.id ?? '', { content: `Goes by ${SENTINEL} now` });
    await memory.forget(second?.id ?? '');
    await memory.restore(second?.id ?? '', 1);
    expect(await memory.add(`My password is ${SENTINEL}99!`)).toMatchObject({ rejection: { reason: 'secret' } });
    expect(await memory.recall(SENTINEL)).not.toEqual([]);
    expect(await memory.promptBlock(SENTINEL)).toContain(SENTINEL);

    app.completion.answer(extracted(`Owns a ${SENTINEL}`), decided('add'));
    expect(await memory.observe(say('I own a'), { turnId: 'applied' })).toMatchObject({ status: 'applied' });
    app.completion.answer(new ProviderError('test', 'refused', false, `The model will not hear of ${SENTINEL}.`));
    expect(await memory.observe(say('I hide a'), { turnId: 'dead' })).toMatchObject({ status: 'dead' });
    app.completion.answer(`no JSON but ${SENTINEL}`);
    const context = say('Before that I lost a');
    expect(await memory.observe(say('I lost a'), { turnId: 'failed', context })).toMatchObject({ status: 'failed' });
    await memory.observeLater(say('I wait for a'), { turnId: 'pending', context: say('Before that I had a') });

    // Noted with the turns that wait, which may not teach it.
    const { memory: purged } = await memory.add(`Sells ${SENTINEL}`);
    expect(await memory.forget(purged?.id ?? '', { purge: true })).toBe(true);

    await refused(memory.add(`${SENTINEL}\0`));
    await refused(memory.add(SENTINEL.repeat(200)));
    await refused(memory.add(SENTINEL, { metadata: { note: `${SENTINEL}\0` } }));
    await refused(memory.update(first?.id ?? '', { content: `Lives in ${SENTINEL}` }));
    await refused(memory.observe(say('Something else'), { turnId: 'applied' }));
    await refused(memory.list({ search: `${SENTINEL}\0` }));

    // Sampled as the server does by itself, sooner or later.
    await database.dataSource.query('ANALYZE');
    expect(has(await wholeDatabase(database.dataSource))).toBe(true);
    expect(await memory.stats()).toMatchObject({ total: 3, pendingTurns: 2, deadTurns: 1 });
  });

  it('is nowhere in the database, in whatever table or sample', async () => {
    expect(await memory.forgetAll()).toMatchObject({ memories: 3, turns: 4 });
    const left = (await wholeDatabase(database.dataSource)).split('\n');
    expect(left.filter(has)).toEqual([]);
    expect(left.some((line) => line.includes(memory.scope.scope))).toBe(true);
  });

  it('was never in a log, an event or an error', () => {
    expect(app.events.events.length).toBeGreaterThan(10);
    expect(has(JSON.stringify(app.events.events))).toBe(false);
    expect(has(said.map((text) => (text instanceof Error ? `${text.stack}` : JSON.stringify(text))).join('\n'))).toBe(
      false,
    );
    expect(errors).toHaveLength(6);
    for (let error of errors) {
      for (; error instanceof Error; error = error.cause) {
        const shown = JSON.stringify(error, Object.getOwnPropertyNames(error));
        expect([shown, has(shown)]).toEqual([shown, false]);
      }
    }
  });
});
