import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProviderError } from 'nestjs-engram';
import type { EmbedOptions, RebuildInput, RebuildSummary, ScopedMemory } from 'nestjs-engram';
import { DeterministicEmbedder, inMemoryStorage } from 'nestjs-engram/testing';
import { Gate } from '../support/gate.js';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

/** Another model, that is told what to do wrong. */
class NewModel extends DeterministicEmbedder {
  readonly calls: (readonly string[])[] = [];
  gate: Gate | null = null;
  /** Called for each call; what it throws or returns is the answer. */
  trouble: (texts: readonly string[]) => number[][] | undefined = () => undefined;

  constructor() {
    super(64, 'new');
  }

  override async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    this.calls.push(texts);
    await this.gate?.pass();
    return this.trouble(texts) ?? (await super.embedDocuments(texts, options));
  }
}

const POISON = 'Owns a boat number 3';
const refusePoison = (texts: readonly string[]): undefined => {
  if (texts.includes(POISON)) throw new Error('cannot embed this');
};

describe('rebuilding embeddings', () => {
  let before: MemoryApp;
  let app: MemoryApp;
  let memory: ScopedMemory;
  let model: NewModel;
  beforeEach(async () => {
    before = await memoryApp();
    memory = before.of('1');
    await memory.addMany(Array.from({ length: 7 }, (_, n) => ({ content: `Owns a boat number ${n}` })));
    await before.of('2').add('Keeps bees');
    // The same store under a new model, as after a new release of the app.
    model = new NewModel();
    app = await memoryApp({ storage: inMemoryStorage(before.store), embedder: model });
    memory = app.of('1');
  });
  afterEach(async () => {
    await app.close();
    await before.close();
  });

  const stale = async (of = memory): Promise<number> => (await of.stats()).staleEmbeddings;
  const idOf = async (content: string): Promise<string | undefined> =>
    (await memory.list({ first: 100 })).memories.find((one) => one.content === content)?.id;

  it('gives every stale text of its scope the vector of the present model, in batches', async () => {
    expect(await memory.recall('a boat', { mode: 'vector' })).toEqual([]);
    model.calls.length = 0;
    const progress: number[] = [];
    const summary = await memory.rebuildEmbeddings({
      batchSize: 3,
      onProgress: ({ processed }) => progress.push(processed),
    });
    expect(summary).toEqual({ processed: 7, updated: 7, skipped: 0, failed: [] });
    expect(progress).toEqual([3, 6, 7]);
    expect(model.calls.map((texts) => texts.length)).toEqual([3, 3, 1]);
    expect([await stale(), await stale(app.of('2'))]).toEqual([0, 1]);
    expect(await memory.recall('a boat', { mode: 'vector' })).toHaveLength(5);
    expect(app.events.of('engram.rebuild')).toEqual([
      expect.objectContaining({ dryRun: false, processed: 7, updated: 7, skipped: 0, failed: 0 }),
    ]);
  });

  it('changes nothing but vectors: no version, no time, no revision, no event of a memory', async () => {
    const { memories } = await memory.list();
    const state = await app.store.scopeState(memory.scope);
    await memory.rebuildEmbeddings();
    expect((await memory.list()).memories).toEqual(memories);
    expect(await app.store.scopeState(memory.scope)).toEqual(state);
    expect(await memory.history(memories[0]?.id ?? '')).toEqual([]);
    expect(app.events.events.filter(({ name }) => name.startsWith('memory.'))).toEqual([]);
  });

  it('covers retained revisions, so that the past is found by meaning again', async () => {
    const [first] = (await memory.list({ search: 'number 0' })).memories;
    await memory.update(first?.id ?? '', { content: 'Sold every ship' });
    const asOf = first?.createdAt ?? new Date();
    const past = async (): Promise<string[]> =>
      (await memory.recall('Owns a boat number 0', { mode: 'vector', asOf, limit: 1 })).map(
        ({ memory: { content }, distance }) => `${content} ${distance === null ? 'by words' : 'by meaning'}`,
      );
    expect(await past()).toEqual(['Owns a boat number 0 by words']);
    expect((await memory.rebuildEmbeddings()).updated).toBe(7);
    expect(await past()).toEqual(['Owns a boat number 0 by meaning']);
  });

  it('has nothing to do twice, unless all are asked for', async () => {
    await memory.rebuildEmbeddings();
    model.calls.length = 0;
    expect(await memory.rebuildEmbeddings()).toEqual({ processed: 0, updated: 0, skipped: 0, failed: [] });
    expect(model.calls).toEqual([]);
    expect(await memory.rebuildEmbeddings({ staleOnly: false, batchSize: 2 })).toMatchObject({ updated: 7 });
  });

  it('counts in a dry run, without a provider call and without a write', async () => {
    expect(await memory.rebuildEmbeddings({ dryRun: true, batchSize: 2 })).toEqual({
      processed: 7,
      updated: 0,
      skipped: 7,
      failed: [],
    });
    expect(model.calls).toEqual([]);
    expect(await stale()).toBe(7);
  });

  it.each<[string, NewModel['trouble']]>([
    ['makes the embedder throw', refusePoison],
    [
      'is refused by the provider',
      (texts) => {
        if (texts.includes(POISON)) throw new ProviderError('new', 'refused', false, 'does not take this');
        return undefined;
      },
    ],
    ['gets zeros', (texts) => (texts.includes(POISON) ? texts.map(() => new Array<number>(64).fill(0)) : undefined)],
    ['gets a vector of another length', (texts) => (texts.includes(POISON) ? texts.map(() => [1]) : undefined)],
    ['gets no vector', (texts) => (texts.includes(POISON) ? [] : undefined)],
  ])('leaves a text alone that %s, and does the others', async (_, trouble) => {
    model.trouble = trouble;
    const failed = [await idOf(POISON)];
    expect(await memory.rebuildEmbeddings({ batchSize: 4 })).toEqual({ processed: 7, updated: 6, skipped: 0, failed });
    expect(await stale()).toBe(1);
    expect((await memory.recall('boat number 3')).map((hit) => hit.memory.content)).toContain(POISON);
    // Nothing else is left: the next one is about that text alone, and still says so.
    expect(await memory.rebuildEmbeddings()).toEqual({ processed: 1, updated: 0, skipped: 0, failed });
  });

  it.each(['timeout', 'rate-limited', 'quota', 'unauthorized', 'unavailable'] as const)(
    'ends at a provider that is %s, after one call, and goes on from there next time',
    async (fault) => {
      model.trouble = () => {
        if (model.calls.length === 2) throw new ProviderError('new', fault, true, 'not now');
        return undefined;
      };
      await expect(memory.rebuildEmbeddings({ batchSize: 3 })).rejects.toMatchObject({ fault });
      expect(model.calls).toHaveLength(2);
      expect(await stale()).toBe(4);
      expect(await memory.rebuildEmbeddings({ batchSize: 3 })).toMatchObject({ processed: 4, updated: 4 });
    },
  );

  it('does not take all texts for bad where the embedder takes none', async () => {
    model.trouble = () => {
      throw new Error('down');
    };
    await expect(memory.rebuildEmbeddings()).rejects.toMatchObject({ fault: 'unknown' });
    expect(model.calls).toHaveLength(2);
  });

  it('skips what was changed or forgotten while it was embedded', async () => {
    const gate = (model.gate = new Gate());
    const rebuilt = memory.rebuildEmbeddings();
    await gate.reached;
    model.gate = null;
    await memory.forget((await idOf('Owns a boat number 1')) ?? '');
    await memory.update((await idOf('Owns a boat number 2')) ?? '', { content: 'Sold the second one' });
    await memory.update((await idOf('Owns a boat number 4')) ?? '', { importance: 0.9 });
    gate.open();
    expect(await rebuilt).toMatchObject({ processed: 7, updated: 5, skipped: 2, failed: [] });
    expect(await memory.recall('Sold the second one', { mode: 'vector', limit: 1 })).toEqual([
      expect.objectContaining({ distance: 0 }),
    ]);
    expect(await stale()).toBe(0);
  });

  it.each<[string, (texts: NewModel) => void]>([
    ['an embedder that heeds the signal', () => undefined],
    ['an embedder that hangs', (of) => void (of.gate = new Gate())],
  ])('ends by a signal, with %s, and keeps what is done', async (_, set) => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const rebuilt = memory.rebuildEmbeddings({
      batchSize: 3,
      signal: abort.signal,
      onProgress: () => {
        set(model);
        if (model.gate) void model.gate.reached.then(() => abort.abort(reason));
        else abort.abort(reason);
      },
    });
    await expect(rebuilt).rejects.toBe(reason);
    expect(await stale()).toBe(4);
    model.gate = null;
    expect(await memory.rebuildEmbeddings()).toMatchObject({ processed: 4, updated: 4 });
  });

  it('calls nobody with a signal that was given before', async () => {
    await expect(memory.rebuildEmbeddings({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(model.calls).toEqual([]);
  });

  it('sends nothing of a scope that is switched off, or from the moment that it is', async () => {
    await memory.setEnabled(false);
    expect(await memory.rebuildEmbeddings()).toMatchObject({ processed: 0 });
    await memory.setEnabled(true);
    let switching: Promise<unknown> = Promise.resolve();
    const summary = await memory.rebuildEmbeddings({
      batchSize: 3,
      onProgress: () => (switching = memory.setEnabled(false)),
    });
    await switching;
    expect(summary.processed).toBeLessThan(7);
    expect(model.calls.flat()).toHaveLength(summary.processed);
  });

  it.each<[RebuildInput, string]>([
    [{ batchSize: 0 }, 'batchSize'],
    [{ batchSize: 1_001 }, 'batchSize'],
    [{ batchSize: 1.5 }, 'batchSize'],
    [{ staleOnly: 'false' as never }, 'staleOnly'],
    [{ dryRun: 1 as never }, 'dryRun'],
  ])('refuses %j', async (input, field) => {
    await expect(memory.rebuildEmbeddings(input)).rejects.toMatchObject({ code: 'INVALID_INPUT', field });
  });

  it('hands out a summary that stays as it is', async () => {
    const summaries: RebuildSummary[] = [];
    model.trouble = refusePoison;
    await memory.rebuildEmbeddings({ batchSize: 1, onProgress: (progress) => summaries.push(progress) });
    expect(summaries.map(({ processed }) => processed)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(summaries[0]?.failed).toEqual([]);
    expect(summaries[6]?.failed).toHaveLength(1);
  });
});
