import { afterEach, describe, expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import type { TurnKey } from '../../storage/memory-store.js';
import { InProcessQueue } from './in-process-queue.js';

const key = (scope: string, turnId = 'a'): TurnKey => ({ tenantId: 'acme', scope, turnId });

describe('the queue in the process', () => {
  const queue = new InProcessQueue({ concurrency: 1 });
  afterEach(() => queue.stop());

  /** Holds the one place with a first wake-up while others are enqueued; the turns that were handled after it. */
  async function handledBehind(enqueue: () => Promise<void>): Promise<TurnKey[]> {
    const handled: TurnKey[] = [];
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await queue.start(async (turn) => {
      if (turn.scope === 'first') await held;
      else handled.push(turn);
    });
    await queue.enqueue(key('first'));
    await enqueue();
    await queue.enqueue(key('last'));
    letGo();
    for (; handled.at(-1)?.scope !== 'last';) await new Promise((resolve) => setImmediate(resolve));
    return handled.slice(0, -1);
  }

  it('wakes a scope once, however often it is called while it waits', async () => {
    const handled = await handledBehind(async () => {
      for (const turnId of ['a', 'b', 'c']) await queue.enqueue(key('user:1', turnId));
    });
    expect(handled).toEqual([key('user:1', 'a')]);
  });

  it('drops what waits of an erased scope, and of no other', async () => {
    const handled = await handledBehind(async () => {
      await queue.enqueue(key('user:1'));
      await queue.enqueue(key('user:10'));
      await queue.discard({ tenantId: 'acme', scope: 'user:1' });
      await queue.discard({ tenantId: 'other', scope: 'user:10' });
    });
    expect(handled).toEqual([key('user:10')]);
  });

  it('wakes a dropped scope that is called again, once', async () => {
    const handled = await handledBehind(async () => {
      await queue.enqueue(key('user:1', 'erased'));
      await queue.discard({ tenantId: 'acme', scope: 'user:1' });
      await queue.enqueue(key('user:1', 'new'));
    });
    expect(handled).toEqual([key('user:1', 'new')]);
  });

  it('lets no more scopes wait than it has room for, says so, and has room again once they were worked on', async () => {
    const small = new InProcessQueue({ concurrency: 1, maxWaiting: 2 });
    const handled: string[] = [];
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    try {
      await small.start(async ({ scope }) => {
        handled.push(scope);
        await held;
      });
      await small.enqueue(key('at work'));
      for (; handled.length === 0;) await new Promise((resolve) => setImmediate(resolve));
      const room: number[] = [];
      for (const scope of ['second', 'third', 'one too many', 'two too many']) {
        room.push(small.room());
        await small.enqueue(key(scope));
      }
      expect([room, small.room(), await small.depth()]).toEqual([[2, 1, 0, 0], 0, 2]);
      letGo();
      for (; handled.length < 3;) await new Promise((resolve) => setImmediate(resolve));
      expect(small.room()).toBe(2);
    } finally {
      letGo();
      await small.stop();
    }
    expect(handled).toEqual(['at work', 'second', 'third']);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, '4'])('refuses %p for a number of scopes', (number) => {
    for (const option of ['concurrency', 'maxWaiting'])
      expect(() => new InProcessQueue({ [option]: number })).toThrow(InvalidOptionsError);
  });

  it('does not run a turn in the async context of the call that woke it', async () => {
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    await queue.start(async () => void contexts.push(request.getStore()));
    await request.run('a request', () => queue.enqueue(key('user:1')));
    for (; contexts.length === 0;) await new Promise((resolve) => setImmediate(resolve));
    expect(contexts).toEqual([undefined]);
  });
});
