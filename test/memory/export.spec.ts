import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConflictError } from 'nestjs-engram';
import type { ExportedMemory, ExportInput, ScopedMemory } from 'nestjs-engram';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

describe('exporting', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  beforeEach(async () => {
    app = await memoryApp();
    memory = app.of('1');
  });
  afterEach(() => app.close());

  const exported = async (options?: ExportInput, of = memory): Promise<ExportedMemory[]> => {
    const lines: ExportedMemory[] = [];
    for await (const line of of.export(options)) {
      expect(line).toMatch(/^[^\n]*\n$/);
      lines.push(JSON.parse(line as string) as ExportedMemory);
    }
    return lines;
  };

  it('gives each live memory as one line of JSON, without its vector', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    const metadata = { note: 'two\nlines', __proto__x: [1, '1'] };
    const { memory: added } = await memory.add('Prefers "short" answers 🦊', {
      kind: 'preference',
      importance: 0.7,
      metadata,
      expiresAt,
    });
    const { memory: forgotten } = await memory.add('Owns a boat');
    await memory.forget(forgotten?.id ?? '');
    await app.of('10').add('Keeps bees');
    expect(await exported()).toEqual([
      {
        id: added?.id,
        content: 'Prefers "short" answers 🦊',
        kind: 'preference',
        importance: 0.7,
        metadata,
        source: 'manual',
        version: 1,
        createdAt: added?.createdAt.toISOString(),
        updatedAt: added?.updatedAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      },
    ]);
  });

  it('has the vectors where they are asked for', async () => {
    await memory.add('Owns a boat');
    const [line] = await exported({ withVectors: true });
    expect(line?.vector).toMatchObject({ space: 'deterministic:words:64' });
    expect(line?.vector?.values).toHaveLength(64);
  });

  it('goes through more than one page, in one order', async () => {
    await memory.addMany(Array.from({ length: 450 }, (_, n) => ({ content: `Owns boat number ${n}` })));
    const ids = (await exported()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(450);
    expect(ids).toEqual([...ids].sort());
  });

  it('is empty where nothing is, and works while memory is off', async () => {
    expect(await exported()).toEqual([]);
    await memory.add('Owns a boat');
    await memory.setEnabled(false);
    expect(await exported()).toHaveLength(1);
  });

  it('pipes', async () => {
    await memory.addMany([{ content: 'Owns a boat' }, { content: 'Keeps bees' }]);
    const sink = new PassThrough();
    const chunks: Buffer[] = [];
    sink.on('data', (chunk: Buffer) => chunks.push(chunk));
    await pipeline(memory.export(), sink);
    expect(Buffer.concat(chunks).toString('utf8').trimEnd().split('\n')).toHaveLength(2);
  });

  it('stops with CONFLICT when the scope is erased on the way, and shows nothing of after', async () => {
    await memory.addMany(Array.from({ length: 450 }, (_, n) => ({ content: `Owns boat number ${n}` })));
    const lines: string[] = [];
    const read = async (): Promise<void> => {
      for await (const line of memory.export()) {
        if (lines.push(line as string) > 1) continue;
        await memory.forgetAll();
        await memory.add('Keeps bees');
      }
    };
    await expect(read()).rejects.toBeInstanceOf(ConflictError);
    expect(lines.length).toBeLessThan(450);
    expect(lines.join()).not.toContain('bees');
  });

  it('stops with CONFLICT when the scope is erased after the last memory was read', async () => {
    await memory.add('Owns a boat');
    const readPage = app.store.exportPage.bind(app.store);
    app.store.exportPage = async (...asked) => {
      const page = await readPage(...asked);
      if (page.memories.length > 0) await memory.forgetAll();
      return page;
    };
    await expect(memory.export().toArray()).rejects.toBeInstanceOf(ConflictError);
  });

  it('notes the generation when it is called, not when it is read', async () => {
    await memory.add('Owns a boat');
    const stream = memory.export();
    await app.store.settings(memory.scope);
    await memory.forgetAll();
    await expect(stream.toArray()).rejects.toBeInstanceOf(ConflictError);
  });

  it('that nobody reads, of a store that fails, does not end the process', async () => {
    app.store.scopeState = () => Promise.reject(new Error('down'));
    const stream = memory.export();
    await new Promise((resolve) => setImmediate(resolve));
    const failed = once(stream, 'error');
    stream.resume();
    expect(await failed).toEqual([expect.objectContaining({ message: 'down' })]);
  });
});
