import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScopedMemory } from 'nestjs-engram';
import { ScriptedCompletion } from 'nestjs-engram/testing';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';
import { decided, extracted } from './memory-app.js';

const TEN_MINUTES = 600_000;

// Changes and forgettings are dated by the database, turns that have no time are said now: no matter what the app takes for now.
describe.each([
  ['ahead of', TEN_MINUTES],
  ['behind', -TEN_MINUTES],
])('an app whose clock is ten minutes %s the database', (_, ms) => {
  let app: PostgresApp;
  let memory: ScopedMemory;
  let user = 0;
  const completion = new ScriptedCompletion();
  beforeAll(async () => {
    app = await openPostgresApp({ completion, clock: { now: () => new Date(Date.now() + ms) } });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    memory = app.of(String(++user));
  });

  const contents = async (): Promise<string[]> => (await memory.list()).memories.map(({ content }) => content);
  const add = async (content: string): Promise<string> => (await memory.add(content)).memory?.id ?? '';

  it('learns again what is said after it was forgotten', async () => {
    await memory.forget(await add('Is vegan'));
    completion.answer(extracted('Is vegan'));
    await memory.observe([{ role: 'user', content: 'I am vegan' }]);
    expect(await contents()).toEqual(['Is vegan']);
  });

  it('does not learn what is forgotten while the turn waits', async () => {
    const id = await add('Is vegan');
    const { turnId } = await memory.observeLater([{ role: 'user', content: 'I am vegan' }]);
    await memory.forget(id);
    completion.answer(extracted('Is vegan'));
    await memory.observe([{ role: 'user', content: 'Hello' }], { turnId: 'small talk, which asks no model' });
    expect(await memory.observation(turnId)).toMatchObject({ status: 'applied', decisions: [{ action: 'noop' }] });
    expect(await contents()).toEqual([]);
  });

  it('lets what is said now change what was corrected by hand before', async () => {
    const id = await add('Lives in Berlin');
    await memory.update(id, { content: 'Lives in Hamburg' });
    completion.answer(extracted('Lives in Munich'), decided('update', '1', 'Lives in Munich'));
    await memory.observe([{ role: 'user', content: 'I moved to Munich' }]);
    expect(await contents()).toEqual(['Lives in Munich']);
  });

  it('does not let a turn undo what is corrected by hand while it waits', async () => {
    const id = await add('Lives in Berlin');
    completion.answer(
      async () => {
        await memory.update(id, { content: 'Lives in Hamburg' });
        return extracted('Lives in Munich');
      },
      decided('update', '1', 'Lives in Munich'),
    );
    await memory.observe([{ role: 'user', content: 'I moved to Munich' }]);
    expect(await contents()).toEqual(['Lives in Hamburg']);
  });

  it('learns what is said after an erasure, and nothing that was said before', async () => {
    await memory.forgetAll();
    completion.answer(extracted('Is vegan'));
    await memory.observe([{ role: 'user', content: 'I am vegan' }]);
    expect(await contents()).toEqual(['Is vegan']);
    const { erasedAt } = await memory.forgetAll();
    const before = { occurredAt: new Date(erasedAt.getTime() - 1) };
    expect(await memory.observe([{ role: 'user', content: 'I am vegan' }], before)).toMatchObject({
      status: 'rejected',
    });
    expect(await contents()).toEqual([]);
  });
});
