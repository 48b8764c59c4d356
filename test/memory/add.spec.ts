import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AddResult, Memory, MemoryMetadata } from 'nestjs-engram';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

function kept({ memory }: AddResult): Memory {
  if (!memory) throw new Error('The memory was rejected.');
  return memory;
}

describe('adding a memory', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await memoryApp();
  });
  afterEach(() => app.close());

  it('keeps it with its defaults and says so in one event without its text', async () => {
    const memory = kept(await app.of('1').add('  Is vegetarian '));
    expect(memory).toMatchObject({
      content: 'Is vegetarian',
      kind: 'fact',
      importance: 0.5,
      metadata: {},
      source: 'manual',
      version: 1,
      expiresAt: null,
    });
    expect(memory.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(app.events.of('memory.added')).toEqual([
      expect.objectContaining({ memoryId: memory.id, tenantId: 'acme', scope: 'user:1', version: 1 }),
    ]);
    expect(JSON.stringify(app.events.events)).not.toContain('vegetarian');
  });

  it.each([
    ['blank', { content: ' \n' }, 'content'],
    ['only zero-width', { content: '\u200b\u2060' }, 'content'],
    ['only a Hangul filler', { content: '\u3164' }, 'content'],
    ['only a Braille blank', { content: '\u2800' }, 'content'],
    ['only a combining mark', { content: '\u0301\ufe0f' }, 'content'],
    ['501 characters', { content: 'x'.repeat(501) }, 'content'],
    ['NUL', { content: 'a\u0000b' }, 'content'],
    ['a lone surrogate', { content: 'a\ud83d' }, 'content'],
    ['no string', { content: 7 as never }, 'content'],
    ['an unknown kind', { content: 'x', kind: 'opinion' as never }, 'kind'],
    ['importance 2', { content: 'x', importance: 2 }, 'importance'],
    ['importance NaN', { content: 'x', importance: NaN }, 'importance'],
    ['a list as metadata', { content: 'x', metadata: [] as never }, 'metadata'],
    ['an invalid expiry', { content: 'x', expiresAt: new Date(NaN) }, 'expiresAt'],
  ])('refuses %s, names the field and stores nothing', async (_, { content, ...options }, field) => {
    await expect(app.of('1').add(content, options)).rejects.toMatchObject({ code: 'INVALID_INPUT', field });
    expect((await app.of('1').list()).totalCount).toBe(0);
    expect(app.events.of('memory.added')).toEqual([]);
  });

  it('counts characters as Postgres does: 500 emoji fit', async () => {
    expect(kept(await app.of('1').add('😀'.repeat(500))).content).toHaveLength(1_000);
  });

  it('takes an importance too small for the database as none', async () => {
    expect(kept(await app.of('1').add('Is vegetarian', { importance: 1e-50 })).importance).toBe(0);
  });

  it('refuses a secret with its reason, keeps and logs nothing of it', async () => {
    const { memory, rejection } = await app.of('1').add('my password is hunter2-horse');
    expect(memory).toBeNull();
    expect(rejection).toMatchObject({ reason: 'secret' });
    expect((await app.of('1').list()).totalCount).toBe(0);
    expect(app.events.of('memory.rejected')).toEqual([expect.objectContaining({ reason: 'secret', source: 'manual' })]);
    expect(JSON.stringify([rejection, app.events.events])).not.toContain('hunter2');
  });

  it.each<[string, MemoryMetadata]>([
    ['as a value', { key: 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789' }],
    ['deep inside', { a: [{ b: ['AKIAIOSFODNN7EXAMPLQ'] }] }],
    ['as a key', { sk_live_4eC39HqLyjWDarjtT1zdp7dc: true }],
  ])('refuses a secret in metadata %s, also of a change, and keeps what is but an id', async (_, metadata) => {
    const memory = app.of('1');
    expect(await memory.add('Is vegetarian', { metadata })).toMatchObject({
      memory: null,
      rejection: { reason: 'secret' },
    });
    const ids = { order: '4111111111111111', uuid: '01a22bc0-7343-7011-ace6-d6762e1f4f66', count: 3 };
    const { id } = kept(await memory.add('Is vegan', { metadata: ids }));
    expect(await memory.update(id, { metadata })).toMatchObject({ memory: null, rejection: { reason: 'secret' } });
    expect((await memory.list()).memories.map((one) => one.metadata)).toEqual([ids]);
    expect(app.events.of('memory.rejected')).toHaveLength(2);
    expect(JSON.stringify(app.events.events)).not.toMatch(/sk-proj-abc|AKIAIOS|4eC39/);
  });

  it('never lets metadata name the owner, kind, id or version', async () => {
    const metadata = { id: 'x', kind: 'goal', tenantId: 'other', scope: 'user:2', version: 9, source: 'imported' };
    const memory = kept(await app.of('1').add('Is vegetarian', { metadata }));
    expect(memory).toMatchObject({ kind: 'fact', version: 1, source: 'manual', metadata });
    expect(memory.id).not.toBe('x');
    expect((await app.of('2').list()).totalCount).toBe(0);
    expect((await app.of('1').list()).totalCount).toBe(1);
  });

  describe('whose text is known already', () => {
    it('keeps the id and takes the greater importance, the later expiry and both metadata', async () => {
      const memory = app.of('1');
      const first = kept(
        await memory.add('Is vegetarian', {
          importance: 0.7,
          metadata: { a: 1, b: 1 },
          expiresAt: new Date('2030-01-01'),
        }),
      );
      const second = kept(
        await memory.add('is  VEGETARIAN', { importance: 0.6, metadata: { b: 2 }, expiresAt: new Date('2031-01-01') }),
      );
      expect(second).toMatchObject({
        id: first.id,
        version: 2,
        importance: 0.7,
        metadata: { a: 1, b: 2 },
        expiresAt: new Date('2031-01-01'),
      });
      const third = kept(await memory.add('Is vegetarian'));
      expect(third).toMatchObject({ version: 3, expiresAt: null });
    });

    it('makes no version and no event where nothing changes', async () => {
      const memory = app.of('1');
      await memory.add('Is vegetarian', { importance: 0.7, metadata: { a: { x: 1, y: 2 } } });
      const again = kept(await memory.add('Is vegetarian', { importance: 0.7, metadata: { a: { y: 2, x: 1 } } }));
      expect(again.version).toBe(1);
      expect(app.events.of('memory.updated')).toEqual([]);
    });

    it('is new where the known one has expired', async () => {
      const memory = app.of('1');
      const expired = kept(await memory.add('Is vegetarian', { expiresAt: new Date('2001-01-01') }));
      const fresh = kept(await memory.add('Is vegetarian'));
      expect(fresh.id).not.toBe(expired.id);
      expect(app.events.of('memory.expired')).toEqual([expect.objectContaining({ memoryId: expired.id })]);
      expect((await memory.list()).totalCount).toBe(1);
    });
  });

  describe('in a batch', () => {
    it('returns results in the order of the inputs, rejections among them', async () => {
      const results = await app
        .of('1')
        .addMany([
          { content: 'Is vegetarian' },
          { content: 'api key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789' },
          { content: 'Lives in Porto', kind: 'fact' },
        ]);
      expect(results.map(({ memory, rejection }) => memory?.content ?? rejection?.reason)).toEqual([
        'Is vegetarian',
        'secret',
        'Lives in Porto',
      ]);
    });

    it('makes one memory and one event of equal texts', async () => {
      const results = await app.of('1').addMany([
        { content: 'Is vegetarian', importance: 0.2 },
        { content: 'is vegetarian', importance: 0.9 },
      ]);
      expect(new Set(results.map((result) => kept(result).id)).size).toBe(1);
      expect(kept(results[1] as AddResult).importance).toBe(0.9);
      expect(app.events.of('memory.added')).toHaveLength(1);
    });

    it('stores none where one is malformed', async () => {
      await expect(app.of('1').addMany([{ content: 'Is vegetarian' }, { content: '' }])).rejects.toMatchObject({
        field: 'inputs[1].content',
      });
      expect((await app.of('1').list()).totalCount).toBe(0);
    });

    it('takes an empty list, and refuses what is none', async () => {
      expect(await app.of('1').addMany([])).toEqual([]);
      await expect(app.of('1').addMany('x' as never)).rejects.toMatchObject({ field: 'inputs' });
      await expect(app.of('1').addMany([null as never])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      const withHole = Object.assign(new Array<{ content: string }>(2), { 1: { content: 'Is vegetarian' } });
      await expect(app.of('1').addMany(withHole)).rejects.toMatchObject({ field: 'inputs[0]' });
    });
  });

  it('makes one memory of twenty parallel adds of one text', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => app.of('1').add('Is vegetarian')));
    expect(new Set(results.map((result) => kept(result).id)).size).toBe(1);
    expect(app.events.of('memory.added')).toHaveLength(1);
  });
});
