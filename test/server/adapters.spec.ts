import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenAiServer } from 'nestjs-engram/testing';
import { AppProcess, temporaryFolder } from './app-process.js';
import { until } from '../support/until.js';

const ADD = 'mutation ($content: String!) { addMemory(input: { content: $content }) { memory { id } } }';
const COUNT = '{ memories { totalCount } }';
const SLOW = 300_000;

describe('the reference app, told where its services are', () => {
  const folder = temporaryFolder();
  const env = { ENGRAM_DATA_DIR: folder.path };
  let app: AppProcess | null = null;
  let service: OpenAiServer;
  const start = async (extra: Record<string, string>): Promise<AppProcess> =>
    (app = await AppProcess.start({ ...env, ...extra }));

  beforeAll(async () => {
    service = await OpenAiServer.start({
      answer: ({ body }) =>
        JSON.stringify(body).includes('ceramic')
          ? JSON.stringify({
              memories: [{ content: 'Paints ceramic tiles', kind: 'fact', importance: 0.8, message: 0 }],
            })
          : '{"memories":[]}',
    });
    await (await AppProcess.start(env)).stop();
  }, SLOW);
  afterEach(() => app?.stop('SIGKILL'));
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it(
    'embeds, extracts and recalls through a service that speaks the protocol of OpenAI',
    async () => {
      const started = await start({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: service.baseURL });
      expect(started.stdout).toContain(
        'embedder openai-compatible:text-embedding-3-small:1536, completion openai-compatible:gpt-4o-mini',
      );
      const observed = await started.graphql(
        'mutation { observe(input: { messages: [{ role: USER, content: "On weekends I paint ceramic tiles." }] }) { status decisions { action } } }',
      );
      expect(observed.data).toEqual({ observe: { status: 'APPLIED', decisions: [{ action: 'ADD' }] } });
      let recalled: readonly { vectorRank: number | null }[] = [];
      // On a busy machine the embedder may take longer than a recall waits for it.
      await until(async () => {
        const query = '{ recall(query: "ceramic tiles") { vectorRank memory { content source } } }';
        recalled = (await started.graphql(query)).data?.['recall'] as typeof recalled;
        return recalled[0]?.vectorRank === 1;
      }, 'The recall by meaning');
      expect(recalled).toEqual([{ vectorRank: 1, memory: { content: 'Paints ceramic tiles', source: 'OBSERVED' } }]);
      const paths = service.requests.map(({ path }) => path);
      expect(new Set(paths)).toEqual(new Set(['/v1/embeddings', '/v1/chat/completions']));
      expect(service.requests[0]?.headers.authorization).toBe('Bearer sk-test');
    },
    SLOW,
  );

  it(
    'answers from words, and keeps the memory out, while the service is down',
    async () => {
      const started = await start({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
      const recalled = await started.graphql('{ recall(query: "ceramic tiles") { distance memory { content } } }');
      expect(recalled.data).toEqual({ recall: [{ distance: null, memory: { content: 'Paints ceramic tiles' } }] });
      const before = await started.graphql(COUNT);
      expect((await started.graphql(ADD, { content: 'Owns a kiln' })).errors).toMatchObject([
        { extensions: { code: 'UNAVAILABLE' } },
      ]);
      expect(await started.graphql(COUNT)).toEqual(before);
    },
    SLOW,
  );

  it(
    'says which variable is wrong when OpenAI is half configured',
    async () => {
      const failed = await AppProcess.spawn({ ...env, OPENAI_API_KEY: 'sk-test', ENGRAM_EMBED_MODEL: 'own-model' });
      expect((await failed.exited).code).toBe(1);
      expect(failed.stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('ENGRAM_EMBED_DIMENSIONS')]);
    },
    SLOW,
  );

  it(
    'says in one line that a Postgres cannot be reached',
    async () => {
      const failed = await AppProcess.spawn({ DATABASE_URL: 'postgres://app:hunter2@127.0.0.1:9/app' });
      expect((await failed.exited).code).toBe(1);
      expect(failed.stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(failed.stderr).not.toMatch(/hunter2|^ +at /m);
    },
    SLOW,
  );

  it(
    'lets nobody in without a valid token where a secret is set',
    async () => {
      const secret = 'a secret of the tests that is long enough';
      const started = await start({ ENGRAM_JWT_SECRET: secret });
      const token = (expiry: string): Promise<string> =>
        new SignJWT({ tenant: 'acme', sub: 'token-test' })
          .setProtectedHeader({ alg: 'HS256' })
          .setExpirationTime(expiry)
          .sign(new TextEncoder().encode(secret));
      const good = { authorization: `Bearer ${await token('5m')}` };
      const refused: Record<string, string>[] = [
        {},
        { 'x-user-id': 'token-test', 'x-tenant-id': 'acme' },
        { authorization: `Bearer ${await token('-5m')}` },
        { authorization: 'Bearer x.y.z' },
      ];
      for (const headers of refused) {
        const { data, errors } = await started.graphql(ADD, { content: 'Slipped in' }, headers);
        expect(data ?? null).toBeNull();
        expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
      }
      expect((await started.graphql(COUNT, {}, good)).data).toEqual({ memories: { totalCount: 0 } });
      expect(
        (await started.graphql(ADD, { content: 'Came in' }, { ...good, 'x-user-id': 'other' })).errors,
      ).toBeUndefined();
      expect((await started.graphql(COUNT, {}, good)).data).toEqual({ memories: { totalCount: 1 } });
      expect((await fetch(`${started.url}/health`)).status).toBe(200);
    },
    SLOW,
  );
});
