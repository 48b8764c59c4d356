import { afterEach, describe, expect, it } from '@jest/globals';
import { ProviderError } from '../../errors/provider-error.js';
import { EmbeddingThread } from './embedding-thread.js';

/** A thread that answers each text with its length and the count of messages so far; some texts are orders. */
function script(): URL {
  const source = `
    import { parentPort } from 'node:worker_threads';
    let served = 0;
    parentPort.on('message', ({ id, texts }) => {
      if (texts.includes('crash')) throw new Error('secret text');
      if (texts.includes('exit')) process.exit(3);
      if (texts.includes('fail')) return parentPort.postMessage({ id, failure: 'TypeError' });
      if (texts.length > 0) served += 1;
      parentPort.postMessage({ id, vectors: texts.map((text) => [text.length, served]) });
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

describe('EmbeddingThread', () => {
  let thread: EmbeddingThread;
  const begin = (): EmbeddingThread => (thread = new EmbeddingThread(script()));

  afterEach(() => thread.stop());

  it('gives one vector per text in order, over several messages', async () => {
    const texts = Array.from({ length: 30 }, (_, i) => 'x'.repeat(i + 1));
    const vectors = await begin().embed(texts, 'documents', undefined);
    expect(vectors.map(([length]) => length)).toEqual(texts.map((text) => text.length));
  });

  it('serves a query before the documents that wait', async () => {
    const documents = begin().embed(new Array<string>(1000).fill('doc'), 'documents', undefined);
    const [query] = await thread.embed(['why'], 'query', undefined);
    expect(query?.[1]).toBe(2);
    await expect(documents).resolves.toHaveLength(1000);
  });

  it.each(['crash', 'exit'])('fails retryably on %s, without the text, and works again', async (order) => {
    const failure = await begin()
      .embed([order], 'query', undefined)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({ fault: 'unavailable', retryable: true });
    expect((failure as Error).message).not.toContain('secret');
    await expect(thread.embed(['abc'], 'query', undefined)).resolves.toEqual([[3, 1]]);
  });

  it('fails the call whose message failed and goes on with the others', async () => {
    const failed = begin().embed(['fail'], 'documents', undefined);
    const good = thread.embed(['ok'], 'documents', undefined);
    await expect(failed).rejects.toMatchObject({ code: 'PROVIDER_FAILED', retryable: true });
    await expect(good).resolves.toEqual([[2, 1]]);
  });

  it('does not begin for a signal that fired before', async () => {
    const reason = new Error('too late');
    await expect(begin().embed(['a'], 'query', AbortSignal.abort(reason))).rejects.toMatchObject({
      fault: 'timeout',
      retryable: true,
      cause: reason,
    });
  });

  it('drops what waits when its signal fires, and nothing else', async () => {
    const controller = new AbortController();
    const dropped = begin().embed(new Array<string>(100).fill('doc'), 'documents', controller.signal);
    const kept = thread.embed(['kept'], 'documents', undefined);
    controller.abort();
    await expect(dropped).rejects.toMatchObject({ fault: 'timeout' });
    await expect(kept).resolves.toEqual([[4, 2]]);
  });

  it('fails what waits when it is stopped, refuses more, and starts again on demand', async () => {
    const pending = begin().embed(['a'], 'query', undefined);
    const outcome = expect(pending).rejects.toMatchObject({ retryable: true });
    await thread.stop();
    await outcome;
    await expect(thread.embed(['b'], 'query', undefined)).rejects.toMatchObject({ fault: 'unavailable' });
    await thread.start();
    await expect(thread.embed(['b'], 'query', undefined)).resolves.toEqual([[1, 1]]);
  });
});
