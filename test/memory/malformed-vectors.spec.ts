import { afterEach, describe, expect, it } from '@jest/globals';
import type { Embedder, ScopedMemory } from 'nestjs-engram';
import { DeterministicEmbedder } from 'nestjs-engram/testing';
import { extracted, memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

type Fault = (vectors: number[][]) => unknown;

/** An embedder whose answers are bent once a fault is set. */
class BentEmbedder extends DeterministicEmbedder {
  bend: Fault = (vectors) => vectors;

  override async embedDocuments(texts: readonly string[]): Promise<number[][]> {
    return this.bend(await super.embedDocuments(texts)) as number[][];
  }

  override async embedQuery(text: string): Promise<number[]> {
    const [vector] = (this.bend(await super.embedDocuments([text])) ?? []) as number[][];
    return vector as number[];
  }
}

const FAULTS: readonly [string, Fault][] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['no vectors', () => []],
  ['a hole', (vectors) => vectors.map(() => undefined)],
  ['zeros', (vectors) => vectors.map((vector) => vector.map(() => 0))],
  ['NaN', (vectors) => vectors.map((vector) => vector.map(() => Number.NaN))],
  ['one null among numbers', (vectors) => vectors.map((vector) => vector.with(3, null as unknown as number))],
  ['numbers as text', (vectors) => vectors.map((vector) => vector.map(String))],
  ['base64', (vectors) => vectors.map((vector) => Buffer.from(Float32Array.from(vector).buffer).toString('base64'))],
  ['a number less', (vectors) => vectors.map((vector) => vector.slice(1))],
];

describe('an embedder that answers with', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  const embedder = new BentEmbedder();
  const start = async (): Promise<void> => {
    embedder.bend = (vectors) => vectors;
    app = await memoryApp({
      embedder: embedder as Embedder,
      observation: { maxFailures: 1, leaseMs: 1_000, modelTimeoutMs: 50 },
    });
    memory = app.of('1');
    await memory.add('Likes green tea');
  };
  afterEach(() => app.close());

  it.each(FAULTS)('%s leaves recall to the words', async (_, fault) => {
    await start();
    embedder.bend = fault;
    expect((await memory.recall('green tea')).map(({ memory: { content } }) => content)).toEqual(['Likes green tea']);
    expect(app.events.of('engram.recall')).toEqual([expect.objectContaining({ degraded: true })]);
  });

  it.each([...FAULTS, ['a vector too many', (vectors: number[][]) => [...vectors, ...vectors]] as const])(
    '%s stores nothing by any call, and says so as a fault of the provider',
    async (_, fault) => {
      await start();
      embedder.bend = fault;
      const [{ id } = { id: '' }] = (await memory.list()).memories;
      await expect(memory.add('Likes jam')).rejects.toMatchObject({ code: 'PROVIDER_FAILED', fault: 'malformed' });
      await expect(memory.addMany([{ content: 'Likes jam' }, { content: 'Likes ham' }])).rejects.toMatchObject({
        fault: 'malformed',
      });
      await expect(memory.update(id, { content: 'Likes jam' })).rejects.toMatchObject({ fault: 'malformed' });
      app.completion.answer(extracted('Likes jam'));
      expect(await memory.observe([{ role: 'user', content: 'I like jam' }])).toMatchObject({
        error: 'PROVIDER_FAILED:malformed',
      });
      expect((await memory.list()).memories.map(({ content }) => content)).toEqual(['Likes green tea']);
    },
  );

  it('nothing at all fails the turn in time, instead of holding its scope', async () => {
    await start();
    embedder.bend = () => new Promise(() => undefined);
    app.completion.answer(extracted('Likes jam'));
    expect(await memory.observe([{ role: 'user', content: 'I like jam' }])).toMatchObject({
      status: 'dead',
      error: 'PROVIDER_FAILED:timeout',
    });
  });
});
