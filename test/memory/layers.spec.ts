import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryService } from 'nestjs-engram';
import type { RecallInput, ScopedMemory } from 'nestjs-engram';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

describe('recalling in layers', () => {
  let app: MemoryApp;
  let user: ScopedMemory;
  let team: ScopedMemory;
  beforeEach(async () => {
    app = await memoryApp();
    const service = app.module.get(MemoryService);
    user = app.of('1');
    team = service.for({ tenantId: 'acme', scope: 'team:7' });
    await user.add('Prefers short answers');
    await team.add('Reviews need two approvals');
    await service.for({ tenantId: 'acme', scope: 'team:77' }).add('Reviews need no approvals');
    await service.for({ tenantId: 'other', scope: 'team:7' }).add('Reviews need one approval');
  });
  afterEach(() => app.close());

  const found = async (query: string, options: RecallInput = {}): Promise<[string, string][]> =>
    (await user.recall(query, options)).map(({ memory, scope }) => [scope, memory.content]);

  it('reads the scopes that are named, of the own tenant, and says where each memory is from', async () => {
    expect(await found('reviews approvals')).toEqual([]);
    expect(await found('reviews approvals', { alsoIn: ['team:7'] })).toEqual([
      ['team:7', 'Reviews need two approvals'],
    ]);
    expect(await found('short answers', { alsoIn: ['team:7'] })).toEqual([['user:1', 'Prefers short answers']]);
    expect(await found('short answers')).toEqual([['user:1', 'Prefers short answers']]);
  });

  it.each(['team:%', 'team:_', 'team', 'TEAM:7', ' team:7'])('takes %j for a name, not for a pattern', async (name) => {
    expect(await found('reviews approvals', { alsoIn: [name] })).toEqual([]);
  });

  it('merges by score, within one limit', async () => {
    await user.add('Reviews code');
    await team.add('Reviews need two approvals and a short summary');
    const all = await user.recall('Reviews need two approvals', { alsoIn: ['team:7'], maxDistance: 2, limit: 10 });
    expect(all.map(({ scope }) => scope)).toEqual(expect.arrayContaining(['user:1', 'team:7']));
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a));
    expect(all[0]).toMatchObject({ scope: 'team:7', memory: { content: 'Reviews need two approvals' } });
    const two = await user.recall('Reviews need two approvals', { alsoIn: ['team:7'], maxDistance: 2, limit: 2 });
    expect(two).toEqual(all.slice(0, 2));
  });

  it('gives a text that several know once, from the own scope', async () => {
    await user.add('reviews need two approvals.');
    await user.add('Reviews need a reviewer');
    expect(await found('Reviews need two approvals', { alsoIn: ['team:7'], limit: 1 })).toEqual([
      ['user:1', 'reviews need two approvals.'],
    ]);
    expect(await found('Reviews need two approvals', { alsoIn: ['user:1', 'user:1'], limit: 1 })).toHaveLength(1);
  });

  it('has nothing from a scope that is switched off, and goes on with the others', async () => {
    await team.setEnabled(false);
    expect(await found('reviews approvals', { alsoIn: ['team:7'] })).toEqual([]);
    await team.setEnabled(true);
    await user.setEnabled(false);
    expect(await found('reviews short answers', { alsoIn: ['team:7'] })).toEqual([
      ['team:7', 'Reviews need two approvals'],
    ]);
  });

  it('counts an access where the memory is', async () => {
    await user.recall('reviews short answers', { alsoIn: ['team:7'] });
    const accesses = async (memory: ScopedMemory): Promise<number[]> => {
      // Writes what has gathered, and forgets nothing.
      await memory.forgetStale({ olderThan: new Date(0) });
      return (await memory.list()).memories.map(({ accessCount }) => accessCount);
    };
    expect([await accesses(user), await accesses(team)]).toEqual([[1], [1]]);
  });

  it('goes into the prompt block too', async () => {
    expect(await user.promptBlock('reviews approvals', { alsoIn: ['team:7'] })).toContain('two approvals');
  });

  it.each([
    ['team:7', 'INVALID_INPUT'],
    [Array.from({ length: 11 }, (_, n) => `team:${n}`), 'INVALID_INPUT'],
    [null, 'INVALID_INPUT'],
    [[''], 'INVALID_SCOPE'],
    [[undefined], 'INVALID_SCOPE'],
    [[{ tenantId: 'other', scope: 'team:7' }], 'INVALID_SCOPE'],
    [['x'.repeat(257)], 'INVALID_SCOPE'],
    [['a\u0000'], 'INVALID_SCOPE'],
  ])('refuses %j', async (alsoIn, code) => {
    await expect(user.recall('reviews', { alsoIn: alsoIn as string[] })).rejects.toMatchObject({ code });
  });

  it('reads ten further scopes', async () => {
    const alsoIn = ['team:7', ...Array.from({ length: 9 }, (_, n) => `empty:${n}`)];
    expect(await found('reviews approvals', { alsoIn })).toHaveLength(1);
  });
});
