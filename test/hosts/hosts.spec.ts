import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventClient } from '../graphql/event-client.js';
import { openTestDatabase } from '../support/test-database.js';
import { PackedHost, PackedPackage } from './packed-host.js';

const INSTALL_MS = 1_200_000;

function add(content: string): string {
  return `mutation { addMemory(input: { content: "${content}" }) { memory { content } rejection { reason } } }`;
}

const FIXTURES = ['nest-11', 'nest-12'] as const;
const hosts = new Map<string, PackedHost>();
let packed: PackedPackage | null = null;

beforeAll(async () => {
  const file = (packed = await PackedPackage.pack());
  // Side by side: most of it is waiting for npm.
  await Promise.all(
    FIXTURES.map(async (fixture) => {
      const { connection } = await openTestDatabase();
      hosts.set(fixture, await PackedHost.start(fixture, file, connection as string));
    }),
  );
}, INSTALL_MS);
afterAll(async () => {
  await Promise.all([...hosts.values()].map((host) => host.stop()));
  await packed?.remove();
});

describe.each<[string, (typeof FIXTURES)[number]]>([
  ['Nest 11, in CommonJS', 'nest-11'],
  ['Nest 12, in ES modules', 'nest-12'],
])('the packed package in an app on %s', (_, fixture) => {
  let host: PackedHost;
  beforeAll(() => {
    host = hosts.get(fixture) as PackedHost;
  });

  it('compiles and boots without a warning', () => {
    expect(host.process.warnings.join('')).toBe('');
  });

  it.each(['host.ts', 'page.ts'] as const)(
    'compiles %s at its strictest, from types that need nothing else',
    async (source) => {
      expect(await host.strictFaults(source)).toEqual([]);
    },
  );

  it('remembers and recalls for those who are known, and for nobody else', async () => {
    const read = '{ recall(query: "oat milk") { memory { content } } contents }';
    const found = { data: { recall: [{ memory: { content: 'Likes oat milk' } }], contents: ['Likes oat milk'] } };
    expect(await host.graphql('ada', add('Likes oat milk'))).toEqual({
      data: { addMemory: { memory: { content: 'Likes oat milk' }, rejection: null } },
    });
    expect(await host.graphql('ada', read)).toEqual(found);
    expect(await host.graphql('bob', read)).toEqual({ data: { recall: [], contents: [] } });
    expect(await host.graphql(null, '{ memories { totalCount } }')).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });

  it("tells the app's own listeners", async () => {
    expect(await host.graphql(null, '{ eventsHeard }')).toEqual({ data: { eventsHeard: 1 } });
  });

  it('tells over graphql-ws what happens', async () => {
    const client = new EventClient(host.process.url, { connectionParams: { user: 'eve' } });
    const stranger = new EventClient(host.process.url);
    try {
      const eve = client.subscribe('subscription { memoryEvents { action memory { content } } }');
      // When the subscription stands is not to be seen from outside.
      let number = 0;
      const adding = setInterval(() => void host.graphql('eve', add(`Is number ${(number += 1)}`)), 200);
      await eve.until(1).finally(() => clearInterval(adding));
      expect(eve.events[0]).toEqual({
        action: 'ADDED',
        memory: { content: expect.stringMatching(/^Is number \d+$/) },
      });
      expect(await stranger.subscribe().ended).toMatchObject({ code: 4403 });
    } finally {
      await client.close();
      await stranger.close();
    }
  });
});
