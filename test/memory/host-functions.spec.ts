import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SecretlintPersistencePolicy } from 'nestjs-engram';
import type { MemoryModuleOptions, Observation, RecalledMemory } from 'nestjs-engram';
import { DeterministicEmbedder, ScriptedCompletion } from 'nestjs-engram/testing';
import { extracted, memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const rejects = (): Promise<never> => Promise.reject(new Error('of the host'));
const throws = (): never => {
  throw new Error('of the host');
};

/** A promise that nobody waits for and that rejects ends a process of Node. */
describe('a function of the host that does not answer as it should', () => {
  let app: MemoryApp | null = null;
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  const start = async (options: unknown): Promise<MemoryApp> =>
    (app = await memoryApp(options as Partial<MemoryModuleOptions>));

  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(async () => {
    await app?.close();
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(unhandled.splice(0)).toEqual([]);
  });

  const recalled = async ({ of }: MemoryApp): Promise<RecalledMemory[]> => {
    await of('ana').add('Sails a small boat');
    return of('ana').recall('a small boat', { maxTokens: 100 });
  };

  it.each([rejects, throws, () => Promise.resolve(false)])(
    'leaves recall its words, as canSearch: %s',
    async (canSearch) => {
      const embedder = Object.assign(new DeterministicEmbedder(), { canSearch });
      expect(await recalled(await start({ embedder }))).toHaveLength(1);
    },
  );

  it.each([rejects, throws, () => Promise.resolve('x'), () => 7])(
    'keeps no call from its work, as scopeIdentifier: %s',
    async (scopeIdentifier) => {
      const subject = await start({ scopeIdentifier });
      expect(await recalled(subject)).toHaveLength(1);
      expect(subject.events.of('engram.add')).toEqual([expect.not.objectContaining({ scopeId: expect.anything() })]);
    },
  );

  it.each([rejects, () => Promise.resolve(1), () => Number.NaN, () => -1, () => '3', () => 3n, () => undefined])(
    'is told what is wrong, and lets no budget pass, as tokenCounter: %s',
    async (count) => {
      await expect(start({ tokenCounter: { count } }).then(recalled)).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
        option: 'tokenCounter',
      });
    },
  );

  it.each([() => new Date(Number.NaN), () => Date.now(), () => '2026-03-05', () => new Date('+012026-03-05'), rejects])(
    'is told what is wrong, as clock: %s',
    async (now) => {
      const { of } = await start({ clock: { now } });
      await expect(of('ana').observe([{ role: 'user', content: 'I sail' }])).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
        option: 'clock',
      });
    },
  );

  it.each([rejects, () => Promise.resolve(false)])(
    'fails its turn, without a call to the model, as gate: %s',
    async (gate) => {
      const completion = new ScriptedCompletion([extracted('Sails')]);
      const { of } = await start({ completion, observation: { gate } });
      const turn: Observation = await of('ana').observe([{ role: 'user', content: 'I sail' }]);
      expect(turn).toMatchObject({ status: 'failed', error: 'INVALID_OPTIONS' });
      expect(completion.requests).toHaveLength(0);
    },
  );

  it.each([() => undefined, () => true, () => ({}), () => Promise.resolve(0)])(
    'keeps nothing and says so, as hostPolicy: %s',
    async (hostPolicy) => {
      const { of } = await start({ policy: new SecretlintPersistencePolicy({ hostPolicy: hostPolicy as never }) });
      await expect(of('ana').add('Sails')).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('must return null to keep'),
      });
      expect(await of('ana').stats()).toMatchObject({ total: 0 });
    },
  );
});
