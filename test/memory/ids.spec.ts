import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Memory, ScopedMemory } from 'nestjs-engram';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

// A uuid in capitals is the same one, to Postgres and to many clients.
describe.each<[string, () => Promise<PostgresApp | MemoryApp>]>([
  ['Postgres', () => openPostgresApp()],
  ['memory', memoryApp],
])('an id in capitals, over memories in %s', (_, open) => {
  let app: PostgresApp | MemoryApp;
  let memory: ScopedMemory;
  let tea: Memory;
  let id: string;
  let user = 0;
  beforeAll(async () => {
    app = await open();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    memory = app.of(String(++user));
    tea = (await memory.add('Likes tea')).memory as Memory;
    id = tea.id.toUpperCase();
    expect(id).not.toBe(tea.id);
  });

  it('lets a memory have its own text in other capitals', async () => {
    expect((await memory.update(id, { content: 'Likes Tea' })).memory).toMatchObject({ id: tea.id, version: 2 });
    expect((await memory.restore(id, 1)).memory).toMatchObject({ id: tea.id, version: 3, content: 'Likes tea' });
  });

  it('reads the same, alone and among others', async () => {
    await memory.update(id, { importance: 1 });
    expect(await memory.get(id)).toMatchObject({ id: tea.id, version: 2 });
    expect(await memory.getMany([id, 'none', tea.id])).toMatchObject([{ id: tea.id }, null, { id: tea.id }]);
    expect(await memory.history(id)).toMatchObject([{ memoryId: tea.id }]);
    expect((await memory.histories([id, 'none', tea.id])).map(({ length }) => length)).toEqual([1, 0, 1]);
  });

  it('forgets, brings back and purges the same', async () => {
    expect(await memory.forget(id)).toBe(true);
    expect((await memory.restore(id, 1)).memory).toMatchObject({ id: tea.id, version: 2 });
    expect(await memory.forget(id, { purge: true })).toBe(true);
    expect(await memory.history(tea.id)).toEqual([]);
  });
});
