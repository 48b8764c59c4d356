import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import type { Completion, ScopedMemory } from 'nestjs-engram';
import { MemoryEventRelayModule } from 'nestjs-engram/graphql';
import type { MemoryEventRelayOptions } from 'nestjs-engram/graphql';
import { DeterministicEmbedder, inMemoryStorage } from 'nestjs-engram/testing';
import { topicOf } from '../../src/graphql/subscriptions/memory-event-message.js';
import { extracted } from '../memory/memory-app.js';
import { Gate } from '../support/gate.js';
import { until } from '../support/until.js';

const ANA = { tenantId: 'acme', scope: 'user:ana' };

describe('a process that works turns and serves no GraphQL', () => {
  let published: [string, unknown][];
  let faults: number;
  let app: TestingModule | null;
  let gate: Gate | null;

  const pubSub: MemoryEventRelayOptions['pubSub'] = {
    publish: async (topic, payload) => {
      if (faults > 0) {
        faults -= 1;
        throw new Error('I am vegetarian');
      }
      published.push([topic, payload]);
    },
  };
  const completion: Completion = {
    name: 'gated:model',
    tasks: ['extract'],
    complete: async () => {
      await gate?.pass();
      return { text: extracted('Is vegetarian') };
    },
  };

  beforeEach(() => {
    published = [];
    faults = 0;
    gate = null;
    app = null;
  });
  afterEach(() => app?.close());

  async function boot(options: MemoryEventRelayOptions = { pubSub }): Promise<ScopedMemory> {
    app = await Test.createTestingModule({
      imports: [
        MemoryModule.forRoot({ storage: inMemoryStorage(), embedder: new DeterministicEmbedder(), completion }),
        MemoryEventRelayModule.forRoot(options),
      ],
    }).compile();
    await app.init();
    return app.get(MemoryService).for(ANA);
  }

  it('puts what it learns on the bus: ids of the scope, and never a word', async () => {
    const memory = await boot();
    await memory.observeLater([{ role: 'user', content: 'I am vegetarian' }]);
    await until(() => published.length > 0);
    const [found] = (await memory.list()).memories;
    expect(published).toEqual([
      [topicOf(ANA), { ...ANA, action: 'added', memoryId: found?.id, at: expect.any(String) as unknown }],
    ]);
  });

  it('still tells of the turns that end while it stops', async () => {
    gate = new Gate();
    const memory = await boot();
    await memory.observeLater([{ role: 'user', content: 'I am vegetarian' }]);
    await gate.reached;
    const closed = app?.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.open();
    await closed;
    app = null;
    expect(published).toMatchObject([[topicOf(ANA), { action: 'added' }]]);
  });

  it('tells who follows a scope to read again, once the bus takes what it refused before', async () => {
    const memory = await boot();
    // The event, and the first word of it that is sent after it.
    faults = 2;
    await memory.add('Is vegetarian');
    await until(() => published.length > 0);
    expect(published).toEqual([[topicOf(ANA), { ...ANA, missed: true }]]);
    await memory.add('Lives in Lisbon');
    await until(() => published.length > 1);
    expect(published[1]).toMatchObject([topicOf(ANA), { action: 'added' }]);
  });

  it.each([null, {}, { pubSub: {} }])('does not boot on options of %j', async (options) => {
    await expect(boot(options as MemoryEventRelayOptions)).rejects.toThrow(/MemoryEventRelayModule needs "pubSub"/);
  });
});
