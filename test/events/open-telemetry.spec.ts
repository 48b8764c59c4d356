import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { randomUUID } from 'node:crypto';
import { ProviderError } from 'nestjs-engram';
import type { Message, ObservationQueue, ScopedMemory, TurnHandler } from 'nestjs-engram';
import { DeterministicEmbedder, ScriptedCompletion } from 'nestjs-engram/testing';
import { decided, extracted } from '../memory/memory-app.js';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';
import { OpenTelemetrySdk } from './open-telemetry-sdk.js';

const BEES: Message[] = [{ role: 'user', content: 'I keep bees on the roof.' }];
const EMBEDDING = 'embeddings words';

class FailingEmbedder extends DeterministicEmbedder {
  fault: Error | null = null;

  override async embedDocuments(texts: readonly string[]): Promise<number[][]> {
    if (this.fault) throw this.fault;
    return super.embedDocuments(texts);
  }
}

// Real: OpenTelemetry's API and SDK, Postgres, the module. Doubles: exporters, embedder, completion.
describe('OpenTelemetry', () => {
  const sdk = new OpenTelemetrySdk();
  const embedder = new FailingEmbedder();
  const completion = new ScriptedCompletion();
  let waiting = 0;
  let handler: TurnHandler | null = null;
  const queue: ObservationQueue = {
    adapter: 'counting',
    start: (given) => Promise.resolve(void (handler = given)),
    enqueue: () => Promise.resolve(void (waiting += 1)),
    depth: () => Promise.resolve(waiting),
    stop: () => Promise.resolve(),
  };
  let app: PostgresApp;
  let memory: ScopedMemory;

  beforeAll(async () => {
    app = await openPostgresApp({
      embedder,
      completion,
      queue: { adapter: queue.adapter, create: () => queue },
      circuit: { failures: 1_000 },
    });
  });
  afterAll(async () => {
    await app.close();
    await sdk.stop();
  });
  beforeEach(() => {
    embedder.fault = null;
    memory = app.of(randomUUID());
    sdk.reset();
  });

  const spanNamed = (name: string): ReadableSpan => {
    const span = sdk.spans().find((one) => one.name === name);
    if (!span) throw new Error(`there is no span ${name} among ${sdk.spans().map((one) => one.name)}`);
    return span;
  };

  describe('spans', () => {
    it('of a recall stand in that of the request, with embedding and statement inside', async () => {
      await memory.add('Keeps bees', { kind: 'preference' });
      sdk.reset();
      await sdk.inSpan('request', () => memory.recall('bees', { kinds: ['preference'], limit: 3 }));
      expect(sdk.paths()).toEqual([
        'request',
        'request > search_memory',
        'request > search_memory > SELECT memories',
        `request > search_memory > ${EMBEDDING}`,
      ]);
      expect(spanNamed('search_memory').attributes).toEqual({
        'gen_ai.operation.name': 'search_memory',
        'gen_ai.memory.record.count': 1,
        'engram.operation': 'recall',
        'engram.store': 'postgres',
        'engram.mode': 'hybrid',
        'engram.limit': 3,
        'engram.kinds': ['preference'],
        'engram.count': 1,
        'engram.degraded': false,
      });
      expect(spanNamed(EMBEDDING)).toMatchObject({
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': 'embeddings',
          'gen_ai.provider.name': 'deterministic',
          'gen_ai.request.model': 'words',
          'gen_ai.embeddings.dimension.count': 64,
          'engram.calls': 'query',
          'engram.texts': 1,
        },
      });
      expect(spanNamed('SELECT memories')).toMatchObject({
        kind: SpanKind.CLIENT,
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': 'SELECT',
          'db.collection.name': 'memories',
        },
      });
    });

    it('of what happens at once are not mixed up', async () => {
      await Promise.all(
        ['first', 'second', 'third'].map((name) =>
          sdk.inSpan(name, async () => {
            await memory.add(`Has read the ${name} book`);
            await memory.promptBlock('book', {});
          }),
        ),
      );
      const inside = (name: string): string[] => [
        name,
        `${name} > engram.inject`,
        `${name} > engram.inject > search_memory`,
        `${name} > engram.inject > search_memory > SELECT memories`,
        `${name} > engram.inject > search_memory > ${EMBEDDING}`,
        `${name} > upsert_memory`,
        `${name} > upsert_memory > TRANSACTION memories`,
        `${name} > upsert_memory > ${EMBEDDING}`,
      ];
      expect(sdk.paths()).toEqual(['first', 'second', 'third'].flatMap(inside));
    });

    it('of a turn that is observed now stand in that of the call', async () => {
      await memory.add('Keeps ducks on the roof');
      completion.answer(extracted('Keeps bees on the roof'), decided('add'));
      sdk.reset();
      await memory.observe(BEES);
      const turn = 'upsert_memory > engram.turn';
      expect(sdk.paths()).toEqual([
        'upsert_memory',
        'upsert_memory > TRANSACTION memory_turns',
        turn,
        `${turn} > TRANSACTION memories`,
        `${turn} > ${EMBEDDING}`,
        `${turn} > engram.consolidate`,
        `${turn} > engram.consolidate > SELECT memories`,
        `${turn} > engram.consolidate > chat answers`,
        `${turn} > engram.extract`,
        `${turn} > engram.extract > chat answers`,
      ]);
      expect(spanNamed('chat answers').attributes).toEqual({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'scripted',
        'gen_ai.request.model': 'answers',
        'gen_ai.output.type': 'json',
        'gen_ai.usage.input_tokens': 1,
        'gen_ai.usage.output_tokens': 1,
        'engram.task': 'extract',
      });
      expect(spanNamed('engram.turn').attributes).toMatchObject({ 'engram.counts.add': 1, 'engram.input_tokens': 2 });
    });

    it('say the class of an error, and nothing of what it says', async () => {
      embedder.fault = new ProviderError('deterministic', 'rate-limited', true, 'too many: Keeps bees');
      await expect(memory.add('Keeps bees')).rejects.toThrow();
      for (const name of ['upsert_memory', EMBEDDING]) {
        expect(spanNamed(name)).toMatchObject({
          status: { code: SpanStatusCode.ERROR },
          attributes: { 'error.type': 'PROVIDER_FAILED:rate-limited' },
          events: [],
        });
        expect(spanNamed(name).status.message).toBeUndefined();
      }
      embedder.fault = null;
      const { memory: bees } = await memory.add('Keeps bees');
      const { memory: wasps } = await memory.add('Keeps wasps');
      sdk.reset();
      await expect(memory.update(wasps?.id ?? '', { content: 'Keeps bees' })).rejects.toThrow(bees?.id);
      expect(spanNamed('TRANSACTION memories')).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': 'CONFLICT' },
        events: [],
      });
    });

    it('of a turn that a worker takes stand alone', async () => {
      completion.answer(extracted());
      const { turnId } = await sdk.inSpan('request', () => memory.observeLater(BEES));
      await handler?.({ ...memory.scope, turnId });
      expect(sdk.paths()).toEqual([
        'engram.turn',
        'engram.turn > TRANSACTION memories',
        'engram.turn > engram.extract',
        'engram.turn > engram.extract > chat answers',
        'request',
        'request > engram.observe-later',
        'request > engram.observe-later > TRANSACTION memory_turns',
      ]);
    });
  });

  describe('metrics', () => {
    const at = async (name: string, attributes: Record<string, unknown>): Promise<unknown> =>
      (await sdk.points(name)).find((point) =>
        Object.entries(attributes).every(([key, value]) => point.attributes[key] === value),
      )?.value;

    it('measure each operation and each call to a model in seconds', async () => {
      await memory.add('Keeps bees');
      await memory.recall('bees');
      for (const operation of ['add', 'recall']) {
        expect(
          await at('engram.operation.duration', { 'engram.operation': operation, 'engram.store': 'postgres' }),
        ).toMatchObject({ count: expect.any(Number), sum: expect.any(Number) });
      }
      const called = await at('gen_ai.client.operation.duration', {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.provider.name': 'deterministic',
        'gen_ai.request.model': 'words',
      });
      expect((called as { sum: number }).sum).toBeLessThan(60);
    });

    it('count what became of memories, turns and tokens', async () => {
      const changes = { 'engram.change': 'added', 'engram.kind': 'goal', 'engram.source': 'manual' };
      expect(await at('engram.memory.changes', changes)).toBeUndefined();
      await memory.add('Wants to keep bees', { kind: 'goal' });
      await memory.add('Her password is hunter2hunter2');
      completion.answer(extracted());
      await memory.observe(BEES);
      expect(await at('engram.memory.changes', changes)).toBe(1);
      expect(await at('engram.memory.rejections', { 'engram.reason': 'secret' })).toBe(1);
      expect(await at('engram.turns', { 'engram.status': 'nothing' })).toEqual(expect.any(Number));
      const tokens = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'answers' };
      for (const type of ['input', 'output']) {
        expect(await at('gen_ai.client.token.usage', { ...tokens, 'gen_ai.token.type': type })).toMatchObject({
          min: 1,
          max: 1,
        });
      }
    });

    it('count the recalls that words alone answered', async () => {
      await memory.add('Keeps bees');
      expect(await at('engram.recall.degraded', { 'engram.mode': 'hybrid' })).toBeUndefined();
      embedder.fault = new ProviderError('deterministic', 'unavailable', true, 'down');
      expect(await memory.recall('bees')).toHaveLength(1);
      expect(await at('engram.recall.degraded', { 'engram.mode': 'hybrid' })).toBe(1);
      const failed = { 'gen_ai.operation.name': 'embeddings', 'error.type': 'PROVIDER_FAILED:unavailable' };
      expect(await at('gen_ai.client.operation.duration', failed)).toMatchObject({ count: 1 });
    });

    it('tell how many wake-ups wait', async () => {
      waiting = 7;
      expect(await at('engram.queue.depth', { 'engram.queue': 'counting' })).toBe(7);
    });

    it('name no scope', async () => {
      await memory.add('Keeps bees');
      expect(JSON.stringify(await sdk.metrics())).not.toContain(memory.scope.scope);
      expect(JSON.stringify(sdk.spans().map(({ attributes }) => attributes))).not.toContain(memory.scope.scope);
    });
  });
});
