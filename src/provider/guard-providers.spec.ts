import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Completion, CompletionRequest } from '../completion/completion.js';
import type { EmbedOptions } from '../embedding/embedder.js';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';
import { noTracing } from '../events/tracing.js';
import { resolveSettings } from '../memory/resolve-settings.js';
import { withDeadline } from '../memory/with-deadline.js';
import { harmlessQuestion } from '../observation/harmless-question.js';
import { DeterministicEmbedder } from '../testing/deterministic-embedder.js';
import { RecordingEventPublisher } from '../testing/recording-event-publisher.js';
import { ScriptedCompletion } from '../testing/scripted-completion.js';
import { guardProviders } from './guard-providers.js';
import type { GuardedProviders } from './guard-providers.js';

type Trouble = (() => unknown) | null;

/** Fails, or does whatever else it is told, once there is trouble; keeps what it was asked. */
class TroubledEmbedder extends DeterministicEmbedder {
  trouble: Trouble = null;
  readonly asked: string[][] = [];

  override async embedDocuments(texts: readonly string[]): Promise<number[][]> {
    this.asked.push([...texts]);
    return this.trouble ? ((await this.trouble()) as number[][]) : super.embedDocuments(texts);
  }

  override async embedQuery(text: string): Promise<number[]> {
    this.asked.push([text]);
    if (this.trouble) return (await this.trouble()) as number[];
    return (await super.embedDocuments([text]))[0] as number[];
  }
}

const NOW = new Date('2026-03-05T18:30:00.000Z');
const fault =
  (name: ProviderFault, retryable = true) =>
  (): never => {
    throw new ProviderError('adapter', name, retryable, name);
  };
const never = (): Promise<never> => new Promise(() => undefined);

describe('guarded providers', () => {
  let now: number;
  let embedder: TroubledEmbedder;
  let events: RecordingEventPublisher;
  let guarded: GuardedProviders;
  const build = (completion: Completion = new ScriptedCompletion(), timeoutMs = 40): GuardedProviders =>
    (guarded = guardProviders(
      { embedder, completion },
      {
        settings: resolveSettings({ embedder, completion, observation: { modelTimeoutMs: timeoutMs } }),
        events,
        clock: { now: () => NOW },
        tracing: noTracing,
      },
    ));
  const states = (calls: 'all' | 'queries', provider = embedder.space): string[] =>
    events
      .of('engram.circuit')
      .filter((event) => event.calls === calls && event.provider === provider)
      .map(({ state }) => state);
  const times = async (count: number, work: () => Promise<unknown>): Promise<unknown[]> => {
    const thrown: unknown[] = [];
    for (let n = 0; n < count; n += 1) await work().catch((error: unknown) => thrown.push(error));
    return thrown;
  };

  beforeEach(() => {
    now = NOW.getTime();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    embedder = new TroubledEmbedder();
    events = new RecordingEventPublisher();
    build();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  describe('of embedding', () => {
    it.each<ProviderFault>(['timeout', 'rate-limited', 'unavailable'])(
      'leave the embedder alone after %s three times in a row, in whatever call',
      async (name) => {
        embedder.trouble = fault(name);
        await times(2, () => guarded.embedder.embedDocuments(['a']));
        await times(1, () => guarded.embedder.embedQuery('a'));
        expect(events.of('engram.circuit')).toEqual([
          { provider: embedder.space, calls: 'all', state: 'open', fault: name, at: NOW.toISOString() },
        ]);
        const [error] = await times(1, () => guarded.embedder.embedQuery('a'));
        expect(error).toMatchObject({ fault: 'circuit-open', retryAfterMs: 5_000 });
        expect(embedder.asked).toHaveLength(3);
      },
    );

    it.each<[string, () => unknown]>([
      ['a refusal', fault('refused', false)],
      ['vectors that are none', fault('malformed')],
      ['an empty account', fault('quota', false)],
      ['a wrong key', fault('unauthorized', false)],
      ['a model that does not exist', fault('misconfigured', false)],
      [
        'a blank text',
        () => {
          throw new InvalidInputError('texts[0]', 'blank');
        },
      ],
      [
        'an error of the adapter',
        () => {
          throw new Error('x');
        },
      ],
    ])('go on asking after %s', async (_, trouble) => {
      embedder.trouble = trouble;
      await times(10, () => guarded.embedder.embedDocuments(['a']));
      await times(10, () => guarded.embedder.embedQuery('a'));
      expect(embedder.asked).toHaveLength(20);
      expect(events.of('engram.circuit')).toEqual([]);
    });

    it('go on asking after callers gave up', async () => {
      embedder.trouble = never;
      for (let n = 0; n < 5; n += 1) {
        const caller = new AbortController();
        const reason = new Error('enough');
        const asked = guarded.embedder.embedDocuments(['a'], { signal: caller.signal });
        caller.abort(reason);
        await expect(asked).rejects.toBe(reason);
      }
      expect(events.of('engram.circuit')).toEqual([]);
    });

    it('ask with a harmless text first when the wait is over', async () => {
      embedder.trouble = fault('timeout');
      await times(3, () => guarded.embedder.embedDocuments(['the text that may be at fault']));
      embedder.trouble = null;
      now += 5_000;
      await guarded.embedder.embedDocuments(['another text']);
      expect(embedder.asked.slice(3)).toEqual([['Prefers short answers.'], ['another text']]);
      expect(states('all')).toEqual(['open', 'half-open', 'closed']);
    });

    it('end in time, whatever the embedder does with its signal, and give long lists longer', async () => {
      embedder.trouble = never;
      const settled: string[] = [];
      const short = guarded.embedder.embedDocuments(['a']).catch((error: ProviderError) => {
        settled.push('short');
        expect(error).toMatchObject({ provider: embedder.space, fault: 'timeout', retryable: true });
      });
      const long = guarded.embedder.embedDocuments(new Array(201).fill('a')).catch(() => settled.push('long'));
      await Promise.all([short, long]);
      expect(settled).toEqual(['short', 'long']);
    });

    it('tell of each call that was made, by class and count', async () => {
      const options = { onUsage: jest.fn() };
      embedder.trouble = null;
      embedder.embedDocuments = async (texts: readonly string[], { onUsage }: EmbedOptions = {}) => {
        for (const inputTokens of [3, 4, Number.NaN]) onUsage?.({ inputTokens });
        return texts.map(() => [1]);
      };
      await guarded.embedder.embedDocuments(['my private words', 'b'], options);
      embedder.trouble = fault('refused', false);
      await times(1, () => guarded.embedder.embedQuery('my private words'));
      const common = { provider: embedder.space, durationMs: expect.any(Number) };
      expect(events.of('engram.embed')).toEqual([
        { ...common, calls: 'documents', texts: 2, inputTokens: 7 },
        { ...common, calls: 'query', texts: 1, inputTokens: 0, error: 'PROVIDER_FAILED:refused' },
      ]);
      expect(options.onUsage).toHaveBeenCalledTimes(3);
    });

    it('pass on what the embedder offers beside vectors, and nothing that it does not', async () => {
      expect(guarded.embedder.canSearch).toBeUndefined();
      const stop = jest.fn(() => Promise.resolve());
      Object.assign(embedder, { canSearch: (query: string) => query !== 'no', stop });
      build();
      expect([guarded.embedder.canSearch?.('no'), guarded.embedder.canSearch?.('yes')]).toEqual([false, true]);
      await guarded.embedder.stop?.();
      expect(stop).toHaveBeenCalled();
      expect(guarded.embedder).toMatchObject({
        space: embedder.space,
        dimensions: embedder.dimensions,
        calibration: embedder.calibration,
      });
    });
  });

  describe('of queries', () => {
    const recall = (): Promise<unknown> =>
      // The circuit hears of it just after the caller, who has gone already.
      withDeadline(5, (signal) => guarded.embedder.embedQuery('a', { signal })).finally(
        () => new Promise(setImmediate),
      );

    it('leave an embedder to others that is too slow for recalls', async () => {
      embedder.trouble = never;
      await times(3, recall);
      expect(states('queries')).toEqual(['open']);
      const [error] = await times(1, recall);
      expect(error).toMatchObject({ fault: 'circuit-open' });
      expect(embedder.asked).toHaveLength(3);
      embedder.trouble = null;
      expect(await guarded.embedder.embedDocuments(['a'])).toHaveLength(1);
      now += 5_000;
      await recall();
      expect(states('queries')).toEqual(['open', 'half-open', 'closed']);
      expect(states('all')).toEqual([]);
    });

    it('go on where the embedder answered others meanwhile: it is busy, not slow', async () => {
      embedder.trouble = never;
      for (let n = 0; n < 5; n += 1) {
        const late = recall();
        embedder.trouble = null;
        await guarded.embedder.embedDocuments(['a']);
        embedder.trouble = never;
        await expect(late).rejects.toThrow();
      }
      expect(events.of('engram.circuit')).toEqual([]);
    });
  });

  describe('of completion', () => {
    const request: CompletionRequest = harmlessQuestion(NOW);
    const completion = (complete: () => unknown): Completion => ({
      name: 'host:model',
      tasks: ['extract'],
      complete: complete as Completion['complete'],
    });

    it.each<[string, () => unknown, ProviderFault]>([
      ['ignores its signal', never, 'timeout'],
      [
        'throws at once',
        () => {
          throw new Error('my very private words');
        },
        'unknown',
      ],
      ['rejects with a text', () => Promise.reject('my very private words' as never), 'unknown'],
      ['rejects with undefined', () => Promise.reject(undefined as never), 'unknown'],
      ['answers nothing', () => undefined, 'malformed'],
      ['answers null', () => Promise.resolve(null), 'malformed'],
      ['answers an object for a text', () => Promise.resolve({ text: { memories: [] } }), 'malformed'],
    ])('name the fault of an adapter that %s', async (_, complete, name) => {
      build(completion(complete));
      const [error] = await times(1, () => guarded.completion.complete(request));
      expect(error).toMatchObject({ provider: 'host:model', fault: name, retryable: true });
      expect((error as Error).message).not.toContain('private');
    });

    it('leave a model alone that does not answer, and ask it a harmless question later', async () => {
      const scripted = new ScriptedCompletion();
      build(scripted);
      scripted.answer(new ProviderError('s', 'unavailable', true, 'down'), new Error('x'));
      scripted.answer(...[1, 2].map(() => new ProviderError('s', 'timeout', true, 'slow')));
      await times(4, () => guarded.completion.complete(request));
      const [error] = await times(1, () => guarded.completion.complete(request));
      expect(error).toMatchObject({ fault: 'circuit-open', provider: 'scripted:answers' });
      expect(scripted.requests).toHaveLength(4);
      scripted.answer('nothing readable', '{"memories":[]}');
      now += 5_000;
      expect(await guarded.completion.complete(request)).toMatchObject({
        text: '{"memories":[]}',
      });
      expect(states('all', 'scripted:answers')).toEqual(['open', 'half-open', 'closed']);
      expect(guarded.circuits.map((circuit) => circuit.report().state)).toEqual(['closed', 'closed', 'closed']);
    });
  });
});
