import { afterEach, describe, expect, it } from '@jest/globals';
import type { ObservationQueue, TurnHandler, TurnKey } from 'nestjs-engram';
import { ScriptedCompletion } from 'nestjs-engram/testing';
import { extracted, memoryApp } from '../memory/memory-app.js';
import type { MemoryApp } from '../memory/memory-app.js';
import { Gate } from '../support/gate.js';
import { until } from '../support/until.js';

/** The shortest queue that a host can write: whoever hands a turn in delivers it. */
class AtOnceQueue implements ObservationQueue {
  readonly adapter = 'at-once';
  delivered = 0;
  protected handler: TurnHandler = () => Promise.resolve();

  start(handler: TurnHandler): Promise<void> {
    this.handler = handler;
    return Promise.resolve();
  }

  enqueue(key: TurnKey): Promise<void> {
    this.delivered += 1;
    if (this.delivered > 100) throw new Error('It comes back again and again.');
    return this.handler(key);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

describe("a queue of the host's own", () => {
  let app: MemoryApp;
  afterEach(() => app.close());
  const open = async (
    queue: ObservationQueue,
    completion = new ScriptedCompletion([extracted('Sails')]),
  ): Promise<void> => {
    app = await memoryApp({
      queue: { adapter: queue.adapter, create: () => queue },
      completion,
      observation: { shutdownGraceMs: 50 },
    });
  };
  const say = (turnId: string): ReturnType<ReturnType<MemoryApp['of']>['observeLater']> =>
    app.of('ana').observeLater([{ role: 'user', content: 'I sail on Sundays' }], { turnId });

  it('that delivers at once is not handed the same turn for ever when the app stops', async () => {
    const queue = new AtOnceQueue();
    const gate = new Gate();
    const completion = new ScriptedCompletion();
    completion.complete = async () => {
      await gate.pass();
      return { text: extracted() };
    };
    await open(queue, completion);
    await say('a');
    await gate.reached;
    await app.close();
    await queue.enqueue({ ...app.of('ana').scope, turnId: 'a' });
    expect(queue.delivered).toBeLessThan(5);
    gate.open();
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['gives back nothing', () => undefined],
    ['never answers', () => new Promise(() => undefined)],
  ])('that %s loses a wake-up, and no turn', async (_name, enqueue) => {
    const queue = new AtOnceQueue();
    await open(Object.assign(queue, { enqueue }));
    expect(await say('a')).toMatchObject({ status: 'pending', duplicate: false });
    await Reflect.get(queue, 'handler')({ ...app.of('ana').scope, turnId: 'a' });
    await until(async () => (await app.of('ana').observation('a'))?.status === 'applied', 'The turn is learned');
  });
});
