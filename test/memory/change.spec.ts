import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Memory, ScopedMemory } from 'nestjs-engram';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000001';

describe('changing a memory', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  let pro: Memory;
  beforeEach(async () => {
    app = await memoryApp();
    memory = app.of('1');
    const { memory: added } = await memory.add('Is on the Pro plan', { metadata: { from: 'form' } });
    if (!added) throw new Error('The memory was rejected.');
    pro = added;
  });
  afterEach(() => app.close());

  it('changes what is named and leaves the rest', async () => {
    const { memory: updated } = await memory.update(pro.id, { content: 'Is on the Enterprise plan', importance: 0.9 });
    expect(updated).toMatchObject({
      id: pro.id,
      version: 2,
      content: 'Is on the Enterprise plan',
      importance: 0.9,
      kind: 'fact',
      metadata: { from: 'form' },
    });
    expect(updated?.createdAt).toEqual(pro.createdAt);
    expect(app.events.of('memory.updated')).toEqual([expect.objectContaining({ memoryId: pro.id, version: 2 })]);
  });

  it('is found under its new words, and no longer under the old ones', async () => {
    await memory.update(pro.id, { content: 'Keeps bees in Porto' });
    expect((await memory.recall('bees Porto')).map(({ memory: { id } }) => id)).toEqual([pro.id]);
    expect(await memory.recall('Pro plan')).toEqual([]);
  });

  it('makes no version where nothing changes', async () => {
    const { memory: same } = await memory.update(pro.id, {
      content: pro.content,
      importance: 0.5,
      metadata: { from: 'form' },
      kind: 'fact',
      expiresAt: null,
    });
    expect(same?.version).toBe(1);
    expect(app.events.of('memory.updated')).toEqual([]);
  });

  it.each([
    ['blank content', { content: ' ' }, 'content'],
    ['501 characters', { content: 'x'.repeat(501) }, 'content'],
    ['an unknown kind', { kind: 'x' as never }, 'kind'],
    ['importance -1', { importance: -1 }, 'importance'],
    ['null metadata', { metadata: null as never }, 'metadata'],
  ])('refuses %s and changes nothing', async (_, change, field) => {
    await expect(memory.update(pro.id, change)).rejects.toMatchObject({ code: 'INVALID_INPUT', field });
    expect(await memory.get(pro.id)).toMatchObject({ version: 1 });
  });

  it('refuses a secret and keeps the old text', async () => {
    expect(await memory.update(pro.id, { content: 'Password is hunter2-horse' })).toMatchObject({
      memory: null,
      rejection: { reason: 'secret' },
    });
    expect(await memory.get(pro.id)).toMatchObject({ content: 'Is on the Pro plan', version: 1 });
  });

  it('names the other memory that has the text already', async () => {
    const { memory: other } = await memory.add('Is on the Free plan');
    await expect(memory.update(pro.id, { content: 'is on the FREE plan' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(other?.id as string),
    });
  });

  it('takes the text of a memory that has expired, and tells of both', async () => {
    const { memory: passed } = await memory.add('Is on the Free plan', { expiresAt: new Date('2001-01-01') });
    const { memory: updated } = await memory.update(pro.id, { content: 'Is on the Free plan' });
    expect(updated).toMatchObject({ id: pro.id, version: 2 });
    expect(app.events.of('memory.expired')).toEqual([expect.objectContaining({ memoryId: passed?.id, turnId: null })]);
    expect(app.events.of('memory.updated')).toEqual([expect.objectContaining({ memoryId: pro.id })]);
    expect(await memory.history(passed?.id ?? '')).toMatchObject([{ endedBy: 'expire' }]);
  });

  it.each([UNKNOWN_ID, '', 'x', undefined as never, null as never, 7 as never, "' OR 1=1 --"])(
    'knows no memory %j',
    async (id) => {
      await expect(memory.update(id, { importance: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await memory.get(id)).toBeNull();
      expect(await memory.forget(id)).toBe(false);
      expect((await memory.list()).totalCount).toBe(1);
    },
  );

  it('answers a foreign id exactly as an unknown one', async () => {
    for (const stranger of [app.of('2'), app.of('1', 'acme2'), app.of('11')]) {
      const foreign = await stranger.update(pro.id, { importance: 1 }).catch((error: unknown) => error);
      const unknown = await stranger.update(UNKNOWN_ID, { importance: 1 }).catch((error: unknown) => error);
      expect(foreign).toEqual(unknown);
      expect(await stranger.get(pro.id)).toBeNull();
      expect(await stranger.forget(pro.id)).toBe(false);
    }
    expect(await memory.get(pro.id)).toMatchObject({ version: 1 });
  });

  it('forgets it for every read, once, with one event', async () => {
    expect(await memory.forget(pro.id)).toBe(true);
    expect(await memory.forget(pro.id)).toBe(false);
    expect(await memory.get(pro.id)).toBeNull();
    expect((await memory.list()).totalCount).toBe(0);
    expect(await memory.recall('Is on the Pro plan')).toEqual([]);
    expect(app.events.of('memory.forgotten')).toHaveLength(1);
    await expect(memory.update(pro.id, { importance: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('learns a forgotten text again under a new id', async () => {
    await memory.forget(pro.id);
    const { memory: again } = await memory.add('Is on the Pro plan');
    expect(again?.id).not.toBe(pro.id);
    expect(again?.version).toBe(1);
  });

  it('treats an expired memory as gone', async () => {
    await memory.update(pro.id, { expiresAt: new Date('2001-01-01') });
    expect(await memory.get(pro.id)).toBeNull();
    expect(await memory.forget(pro.id)).toBe(false);
    expect(await memory.recall('Is on the Pro plan')).toEqual([]);
  });
});
