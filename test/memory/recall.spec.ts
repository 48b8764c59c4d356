import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Embedder, Memory, ScopedMemory } from 'nestjs-engram';
import { DeterministicEmbedder } from 'nestjs-engram/testing';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

/** An embedder whose queries fail, hang or are counted; documents still work. */
class TroubledEmbedder extends DeterministicEmbedder {
  queries = 0;
  trouble: 'none' | 'fails' | 'hangs' = 'none';

  override async embedQuery(text: string, options = {}): Promise<number[]> {
    this.queries += 1;
    if (this.trouble === 'fails') throw new Error('down');
    if (this.trouble === 'hangs') return new Promise(() => undefined);
    return super.embedQuery(text, options);
  }
}

describe('recalling', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  let embedder: TroubledEmbedder;
  beforeEach(async () => {
    embedder = new TroubledEmbedder();
    app = await memoryApp({ embedder: embedder as Embedder, recall: { embedTimeoutMs: 50 } });
    memory = app.of('1');
    await memory.addMany([
      { content: 'Deploys the app on Fly' },
      { content: 'Prefers short answers', kind: 'preference', metadata: { topic: 'style', tags: ['a', 'b'] } },
      { content: 'Called the bank about a fee', kind: 'episodic' },
    ]);
  });
  afterEach(() => app.close());

  const found = async (query: string, options = {}): Promise<string[]> =>
    (await memory.recall(query, options)).map(({ memory: { content } }) => content);

  it('gives equal text the score 1 and orders by score', async () => {
    const [best, ...others] = await memory.recall('prefers short answers', { maxDistance: 2 });
    expect(best).toMatchObject({
      score: expect.closeTo(1, 3),
      distance: expect.closeTo(0, 3),
      coverage: 1,
      keywordRank: 1,
      vectorRank: 1,
    });
    for (const other of others) expect(other.score).toBeLessThan(1);
  });

  it.each(['', '   ', '\n\t', 'hi there', 'ok thanks'])(
    'answers %j with nothing, without asking the embedder',
    async (query) => {
      expect(await memory.recall(query)).toEqual([]);
      expect(embedder.queries).toBe(0);
    },
  );

  it.each(['& | ! () :* <->', "' OR 1=1 --", '%', '_', '\\', '"""'])('takes %j as plain text', async (query) => {
    expect(await memory.recall(query)).toEqual([]);
  });

  it('filters by kinds before the limit, and an empty list filters nothing', async () => {
    expect(await found('short answers', { kinds: ['episodic'], limit: 1, maxDistance: 2 })).toEqual([
      'Called the bank about a fee',
    ]);
    expect(await found('short answers', { kinds: [], limit: 1 })).toEqual(['Prefers short answers']);
  });

  it('filters by metadata that a memory contains', async () => {
    expect(await found('answers', { metadata: { topic: 'style' } })).toEqual(['Prefers short answers']);
    expect(await found('answers', { metadata: { tags: ['b'] } })).toEqual(['Prefers short answers']);
    expect(await found('answers', { metadata: { topic: 'other' } })).toEqual([]);
  });

  it.each([
    ['limit', 0],
    ['limit', -1],
    ['limit', 1.5],
    ['limit', 1e9],
    ['limit', '5'],
    ['maxDistance', 3],
    ['maxDistance', NaN],
    ['maxTokens', 0],
    ['mode', 'fuzzy'],
    ['kinds', 'fact'],
    ['metadata', 'x'],
  ])('refuses %s %p and names it', async (option, value) => {
    await expect(memory.recall('answers', { [option]: value })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      field: option,
    });
  });

  it('refuses what is no text, or no text that Postgres can hold', async () => {
    await expect(memory.recall(undefined as never)).rejects.toMatchObject({ field: 'query' });
    await expect(memory.recall('a\u0000')).rejects.toMatchObject({ field: 'query' });
  });

  it('reads the beginning of an endless query', async () => {
    expect(await found(`short answers ${'x '.repeat(100_000)}`)).toContain('Prefers short answers');
    expect(await found(`${'x '.repeat(100_000)} short answers`)).toEqual([]);
  });

  it('stays within a token budget', async () => {
    const all = await found('answers', { maxDistance: 2, limit: 3 });
    expect(all.length).toBeGreaterThan(1);
    expect(await found('answers', { maxDistance: 2, limit: 3, maxTokens: 6 })).toHaveLength(1);
  });

  it.each(['fails', 'hangs'] as const)('answers from words when the embedder %s, and says so', async (trouble) => {
    embedder.trouble = trouble;
    expect(await found('short answers')).toEqual(['Prefers short answers']);
    expect(await found('short answers', { mode: 'vector' })).toEqual(['Prefers short answers']);
    expect(app.events.of('engram.recall')).toEqual([
      expect.objectContaining({ degraded: true, count: 1, mode: 'hybrid' }),
      expect.objectContaining({ degraded: true, count: 1, mode: 'vector' }),
    ]);
  });

  it('tells nothing of the query or the memories in its event, and names the scope only where asked to', async () => {
    await memory.recall('short answers');
    const [event] = app.events.of('engram.recall');
    expect(event).toMatchObject({ store: 'in-memory', count: 1, limit: 5, degraded: false });
    expect(JSON.stringify(event)).not.toMatch(/short|answers|user:1|acme/i);
  });

  it('counts what it returned, off the hot path', async () => {
    await memory.recall('short answers');
    await memory.recall('short answers');
    const preference = async (): Promise<Memory | undefined> =>
      (await memory.list({ kinds: ['preference'] })).memories[0];
    while ((await preference())?.accessCount === 0) await sleep(20);
    expect(await preference()).toMatchObject({ accessCount: 1, lastAccessedAt: expect.any(Date) });
  });

  it('hands the prompt block to a prompt or to messages and leaves the given ones alone', async () => {
    const messages = [{ role: 'user', content: 'How do I like my answers?' }];
    const injected = await memory.injectInto(messages, { query: 'short answers' });
    expect(injected).toHaveLength(2);
    expect(injected[0]).toMatchObject({ role: 'system', content: expect.stringContaining('Prefers short answers') });
    expect(messages).toEqual([{ role: 'user', content: 'How do I like my answers?' }]);
    expect(await memory.injectInto('You are kind.', { query: 'short answers' })).toMatch(
      /<engram-memories>[\s\S]*You are kind\.$/,
    );
    expect(await memory.injectInto('You are kind.', { query: 'quantum entanglement' })).toBe('You are kind.');
    expect(await memory.promptBlock('quantum entanglement')).toBe('');
  });

  it.each([[null], [undefined], [5], [{}], [[null]], [['You are kind.']]])(
    'refuses %j in place of a prompt or messages',
    async (prompt) => {
      await expect(memory.injectInto(prompt as never, { query: 'short answers' })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    },
  );

  it('never shows a secret that came into the store past the policy', async () => {
    const scope = { tenantId: 'acme', scope: 'user:1' };
    const content = 'Uses the key AKIAIOSFODNN7EXAMPLQ for answers';
    await app.store.write(scope, async (writer) => {
      const [values] = await embedder.embedDocuments([content]);
      await writer.insert([
        {
          id: '019a0000-0000-7000-8000-000000000009',
          content,
          contentHash: '00000000-0000-4000-8000-000000000001',
          kind: 'fact',
          importance: 1,
          metadata: {},
          searchText: content.toLowerCase(),
          vector: { space: embedder.space, values: values ?? [] },
          source: 'imported',
          turnId: null,
          messageNo: null,
          evidenceAt: null,
          expiresAt: null,
        },
      ]);
    });
    expect(await found('uses key answers', { maxDistance: 2 })).not.toContain(content);
    expect(await found('uses key answers', { maxDistance: 2 })).toContain('Prefers short answers');
  });
});
