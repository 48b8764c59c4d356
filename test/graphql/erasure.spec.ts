import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownScope } from 'nestjs-engram/graphql';
import type { AccessAction } from 'nestjs-engram/graphql';
import { graphqlApp } from './graphql-app.js';
import type { GraphQLApp } from './graphql-app.js';

const ADD =
  'mutation ($content: String!) { addMemory(input: { content: $content, kind: GOAL }) { memory { id } rejection { reason } } }';
const STATS = '{ memoryStats { total byKind { kind count } staleEmbeddings pendingTurns deadTurns } }';
const ERASE = 'mutation { forgetAllMemories { id erasedAt memories revisions turns } }';
const SWITCH = 'mutation ($enabled: Boolean!) { setMemoryEnabled(enabled: $enabled) { enabled } }';

describe('the switch and the erasure over GraphQL', () => {
  let host: GraphQLApp;
  let granted: AccessAction[] = ['read', 'write', 'erase', 'administer'];

  beforeAll(async () => {
    host = await graphqlApp({
      policy: { grants: (identity) => [{ scope: ownScope(identity), actions: granted }] },
    });
  });
  afterAll(() => host.close());

  it('count what there is, every kind named', async () => {
    const ada = host.as('acme/counts');
    await ada(ADD, { content: 'Wants to run a marathon' });
    const { data, errors } = await ada(STATS);
    expect(errors).toEqual([]);
    expect(data?.['memoryStats']).toEqual({
      total: 1,
      byKind: [
        { kind: 'FACT', count: 0 },
        { kind: 'PREFERENCE', count: 0 },
        { kind: 'GOAL', count: 1 },
        { kind: 'INSTRUCTION', count: 0 },
        { kind: 'EPISODIC', count: 0 },
      ],
      staleEmbeddings: 0,
      pendingTurns: 0,
      deadTurns: 0,
    });
  });

  it('erase the caller’s memories and nobody else’s, with a receipt', async () => {
    const [ada, bob] = [host.as('acme/1'), host.as('acme/10')];
    for (const caller of [ada, bob]) await caller(ADD, { content: 'Wants to run a marathon' });
    const { data } = await ada(ERASE);
    expect(data?.['forgetAllMemories']).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      erasedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      memories: 1,
      revisions: 0,
      turns: 0,
    });
    expect((await ada(STATS)).data).toMatchObject({ memoryStats: { total: 0 } });
    expect((await bob(STATS)).data).toMatchObject({ memoryStats: { total: 1 } });
  });

  it('switch memory off and on', async () => {
    const ada = host.as('acme/switch');
    expect((await ada('{ memorySettings { enabled } }')).data).toEqual({ memorySettings: { enabled: true } });
    expect((await ada(SWITCH, { enabled: false })).data).toEqual({ setMemoryEnabled: { enabled: false } });
    expect((await ada('{ memorySettings { enabled } }')).data).toEqual({ memorySettings: { enabled: false } });
    expect((await ada(ADD, { content: 'Wants to run a marathon' })).data).toEqual({
      addMemory: { memory: null, rejection: { reason: 'disabled' } },
    });
    expect((await ada(SWITCH, { enabled: true })).data).toEqual({ setMemoryEnabled: { enabled: true } });
    expect((await ada(SWITCH, { enabled: null })).errors).toHaveLength(1);
  });

  it('need the right to erase and to administer, which the right to write is not', async () => {
    const ada = host.as('acme/rights');
    await ada(ADD, { content: 'Wants to run a marathon' });
    granted = ['read', 'write'];
    try {
      for (const [mutation, variables] of [
        [ERASE, {}],
        [SWITCH, { enabled: false }],
      ] as const) {
        expect((await ada(mutation, variables)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      }
    } finally {
      granted = ['read', 'write', 'erase', 'administer'];
    }
    expect((await ada(STATS)).data).toMatchObject({ memoryStats: { total: 1 } });
    expect((await ada('{ memorySettings { enabled } }')).data).toEqual({ memorySettings: { enabled: true } });
  });
});
