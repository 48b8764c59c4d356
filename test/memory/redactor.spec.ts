import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MemoryModuleOptions, ScopedMemory } from 'nestjs-engram';
import { GatedEmbedder } from '../support/gate.js';
import { extracted, memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

/** Embeds like its parent, and keeps the texts. */
class ListeningEmbedder extends GatedEmbedder {
  readonly heard: string[] = [];

  override embedDocuments(texts: readonly string[]): Promise<number[][]> {
    this.heard.push(...texts);
    return super.embedDocuments(texts);
  }
}

describe("the app's redactor", () => {
  let app: MemoryApp;
  let embedder: ListeningEmbedder;
  let memory: ScopedMemory;
  const start = async (redact: (content: string) => string): Promise<void> => {
    embedder = new ListeningEmbedder();
    const options: Partial<MemoryModuleOptions> = {
      embedder,
      redactor: { redact: ({ content }) => redact(content) },
    };
    app = await memoryApp(options);
    memory = app.of('1');
  };
  beforeEach(() => start((content) => content.replace(/Ana|Eva/, 'a colleague')));
  afterEach(() => app.close());

  const contents = async (): Promise<string[]> => (await memory.list()).memories.map(({ content }) => content);

  it('changes a text before it is embedded, compared and stored: two that become equal are one memory', async () => {
    const { memory: first } = await memory.add('Works with Ana');
    const { memory: second } = await memory.add('Works with Eva');
    expect(second?.id).toBe(first?.id);
    expect(await contents()).toEqual(['Works with a colleague']);
    expect(embedder.heard.join()).not.toMatch(/Ana|Eva/);
  });

  it('changes a correction, and finds the memory that has its text already', async () => {
    const { memory: known } = await memory.add('Works with Ana');
    const { memory: other } = await memory.add('Works alone');
    await expect(memory.update(other?.id ?? '', { content: 'Works with Eva' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(known?.id ?? '-'),
    });
  });

  it('changes what is learned from a turn', async () => {
    app.completion.answer(extracted('Works with Ana'));
    await memory.observe([{ role: 'user', content: 'I work with Ana' }]);
    expect(await contents()).toEqual(['Works with a colleague']);
    expect(embedder.heard.join()).not.toContain('Ana');
  });

  it.each(['', ' \u200b', 'x'.repeat(501), 'a\u0000b', 'a\ud800'])(
    'costs a turn the one sentence of which it leaves %j, and nothing else',
    async (left) => {
      await app.close();
      await start((content) => (content.includes('Ana') ? left : content));
      app.completion.answer(extracted('Works with Ana', 'Sails on Sundays'));
      const turn = await memory.observe([{ role: 'user', content: 'I work with Ana and sail on Sundays' }]);
      expect(turn).toMatchObject({ status: 'applied', error: null });
      expect(await contents()).toEqual(['Sails on Sundays']);
      expect(app.events.of('memory.rejected')).toMatchObject([{ reason: 'host-policy' }]);
      await expect(memory.add('Works with Ana')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      const [learned] = (await memory.list()).memories;
      const change = memory.update(learned?.id ?? '', { content: 'Works with Ana' });
      await expect(change).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  );

  it('can bring in nothing that the policy refuses', async () => {
    await app.close();
    await start((content) => `${content}, password: hunter2-horse`);
    expect(await memory.add('Works with Ana')).toMatchObject({ memory: null, rejection: { reason: 'secret' } });
    expect(await contents()).toEqual([]);
  });
});
