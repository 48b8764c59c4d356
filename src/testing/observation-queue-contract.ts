import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObservationQueue } from '../queue/observation-queue.js';
import type { TurnKey } from '../storage/memory-store.js';
import { testRunner } from './test-runner.js';

export interface ObservationQueueSubject {
  /** Not started. Works on two scopes at once, and shares its wake-ups with no other subject. */
  readonly queue: ObservationQueue;
  /** Takes away what the test leaves behind; the queue is stopped already. */
  close(): Promise<void>;
}

/** Far longer than any broker takes; a wake-up that has not come by then is lost. */
const ARRIVES_WITHIN_MS = 15_000;

/** How long "never" is waited for. */
const NEVER_MS = 300;

const PLACES = 2;

const key = (scope: string, turnId = 't'): TurnKey => ({ tenantId: 'acme', scope, turnId });

/** A handler that keeps what it was called with, and can be made to stay at a scope. */
class Handled {
  readonly keys: TurnKey[] = [];
  private readonly held = new Map<string, Promise<void>>();
  private readonly release = new Map<string, () => void>();

  readonly handler = async (turn: TurnKey): Promise<void> => {
    this.keys.push(turn);
    await this.held.get(turn.scope);
  };

  hold(scope: string): void {
    this.held.set(scope, new Promise((resolve) => this.release.set(scope, resolve)));
  }

  letGo(scope: string): void {
    this.held.delete(scope);
    this.release.get(scope)?.();
  }

  letAllGo(): void {
    for (const scope of [...this.held.keys()]) this.letGo(scope);
  }

  count(scope: string): number {
    return this.keys.filter((turn) => turn.scope === scope).length;
  }

  async until(what: string, condition: () => boolean): Promise<void> {
    for (let waited = 0; !condition(); waited += 5) {
      assert.ok(waited < ARRIVES_WITHIN_MS, `${what} did not happen`);
      await sleep(5);
    }
  }

  async arrives(scope: string, times = 1): Promise<void> {
    await this.until(`wake-up ${times} of ${scope}`, () => this.count(scope) >= times);
  }
}

/**
 * What the worker relies on in any queue, with the runner's global `describe` and `it` (jest, vitest).
 *
 * @example observationQueueContract('MyQueue', async () => ({ queue: new MyQueue({ concurrency: 2 }), close: async () => {} }));
 * @param create makes a queue for one test
 */
export function observationQueueContract(name: string, create: () => Promise<ObservationQueueSubject>): void {
  const { describe, it } = testRunner();

  describe(`${name} as an ObservationQueue`, () => {
    const withQueue = async (work: (queue: ObservationQueue, handled: Handled) => Promise<void>): Promise<void> => {
      const { queue, close } = await create();
      const handled = new Handled();
      try {
        await work(queue, handled);
      } finally {
        handled.letAllGo();
        await queue.stop();
        await close();
      }
    };
    const started =
      (work: (queue: ObservationQueue, handled: Handled) => Promise<void>): (() => Promise<void>) =>
      () =>
        withQueue(async (queue, handled) => {
          await queue.start(handled.handler);
          await work(queue, handled);
        });

    it(
      'hands over where to look, as it was given, and nothing more',
      started(async (queue, handled) => {
        const keys: TurnKey[] = [
          { tenantId: 't:1', scope: 'user:_%\\"', turnId: '0' },
          { tenantId: 'Ünï', scope: '用户:42', turnId: 'x'.repeat(256) },
          { tenantId: 't', scope: 's'.repeat(256), turnId: '0:1' },
        ];
        for (const one of keys) {
          await queue.enqueue({ ...one, content: 'what was said' } as TurnKey);
          await handled.arrives(one.scope);
        }
        assert.deepEqual(handled.keys, keys);
      }),
    );

    it(
      'wakes a scope again after it was worked on, for the same turn and for another',
      started(async (queue, handled) => {
        for (const [index, turnId] of ['a', 'a', 'b'].entries()) {
          await queue.enqueue(key('user:1', turnId));
          await handled.arrives('user:1', index + 1);
        }
      }),
    );

    for (const turnId of ['same', 'other']) {
      it(
        `does not lose a wake-up that comes while the scope is being worked on, for the ${turnId} turn`,
        started(async (queue, handled) => {
          handled.hold('user:1');
          await queue.enqueue(key('user:1', 'same'));
          await handled.arrives('user:1');
          await queue.enqueue(key('user:1', turnId));
          handled.letGo('user:1');
          await handled.arrives('user:1', 2);
        }),
      );
    }

    it('takes a wake-up from inside the handler, and does not run for ever by itself', () =>
      withQueue(async (queue, handled) => {
        await queue.start(async (turn) => {
          await handled.handler(turn);
          if (handled.count('user:1') < 3) await queue.enqueue(turn);
        });
        await queue.enqueue(key('user:1'));
        await handled.arrives('user:1', 3);
        await sleep(NEVER_MS);
        assert.equal(handled.count('user:1'), 3);
      }));

    it(
      'goes on with other scopes while one hangs',
      started(async (queue, handled) => {
        handled.hold('slow');
        await queue.enqueue(key('slow'));
        await handled.arrives('slow');
        for (const scope of ['a', 'b', 'c']) await queue.enqueue(key(scope));
        for (const scope of ['a', 'b', 'c']) await handled.arrives(scope);
        handled.letGo('slow');
      }),
    );

    it(
      'folds what waits of one scope, and only of that scope',
      started(async (queue, handled) => {
        const places = Array.from({ length: PLACES }, (_, place) => `place ${place}`);
        for (const place of places) {
          handled.hold(place);
          await queue.enqueue(key(place));
          await handled.arrives(place);
        }
        for (let time = 0; time < 20; time += 1) await queue.enqueue(key('user:1', `t${time}`));
        await queue.enqueue({ ...key('user:1'), tenantId: 'other' });
        await queue.enqueue(key('user:10'));
        places.forEach((place) => handled.letGo(place));
        await handled.arrives('user:10');
        await handled.until('the other tenant', () => handled.keys.some(({ tenantId }) => tenantId === 'other'));
        const woken = handled.keys.filter(({ scope, tenantId }) => scope === 'user:1' && tenantId === 'acme').length;
        assert.ok(woken >= 1 && woken <= 3, `woken ${woken} times`);
      }),
    );

    it(
      'drops what waits of a scope that is erased, and of no other',
      started(async (queue, handled) => {
        if (!queue.discard) return;
        const places = Array.from({ length: PLACES }, (_, place) => `place ${place}`);
        for (const place of places) {
          handled.hold(place);
          await queue.enqueue(key(place));
          await handled.arrives(place);
        }
        for (const one of [key('user:1'), { ...key('user:1'), tenantId: 'other' }, key('user:10')]) {
          await queue.enqueue(one);
        }
        await queue.discard(key('user:1'));
        await queue.enqueue(key('last'));
        places.forEach((place) => handled.letGo(place));
        await handled.arrives('last');
        await handled.arrives('user:10');
        await sleep(NEVER_MS);
        assert.deepEqual(
          handled.keys.filter(({ scope }) => scope === 'user:1').map(({ tenantId }) => tenantId),
          ['other'],
        );
        await queue.enqueue(key('user:1', 'said after the erasure'));
        await handled.until('the wake-up after the erasure', () => handled.count('user:1') === 2);
      }),
    );

    it('stops only when what runs has ended, and starts nothing after', () =>
      withQueue(async (queue, handled) => {
        await queue.start(handled.handler);
        handled.hold('slow');
        await queue.enqueue(key('slow'));
        await handled.arrives('slow');
        let stopped = false;
        const stopping = queue.stop().then(() => (stopped = true));
        await queue.enqueue(key('late'));
        await sleep(NEVER_MS);
        assert.equal(stopped, false);
        handled.letGo('slow');
        await stopping;
        await queue.enqueue(key('later'));
        await sleep(NEVER_MS);
        assert.deepEqual(
          handled.keys.map(({ scope }) => scope),
          ['slow'],
        );
      }));

    it('tells how many wait, if it can tell', () =>
      withQueue(async (queue, handled) => {
        await queue.start(handled.handler);
        for (const scope of ['first', 'second']) {
          handled.hold(scope);
          await queue.enqueue(key(scope));
          await handled.arrives(scope);
        }
        await queue.enqueue(key('third'));
        await queue.enqueue(key('fourth'));
        assert.equal((await queue.depth?.()) ?? 2, 2);
        handled.letAllGo();
        await handled.arrives('fourth');
        assert.equal((await queue.depth?.()) ?? 0, 0);
      }));

    it('takes wake-ups and erasures without failing before it is started and after it is stopped', () =>
      withQueue(async (queue, handled) => {
        await queue.enqueue(key('early'));
        await queue.discard?.(key('early'));
        await queue.start(handled.handler);
        await queue.stop();
        await queue.enqueue(key('late'));
        await queue.discard?.(key('late'));
        assert.equal(queue.room?.() ?? 0, 0);
      }));

    it('stops where it was never started, and twice', () =>
      withQueue(async (queue) => {
        await queue.stop();
        await queue.stop();
      }));
  });
}
