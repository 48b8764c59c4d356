import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { AppProcess, temporaryFolder } from './app-process.js';

const ADD =
  'mutation ($content: String!) { addMemory(input: { content: $content }) { memory { id } rejection { reason } } }';
const ALL = '{ memories(first: 100) { totalCount edges { node { content } } } }';

/** Creation of a database and of a process under load. */
const SLOW = 300_000;

/** Half of what a stop may take. */
const A_LONG_START_MS = 4_500;
const CUT_OFF = 'nestjs-engram: what ran did not end within 9 s and was cut off.\n';

function contents({ data }: { data?: Record<string, unknown> | null }): string[] {
  const { edges } = data?.['memories'] as { edges: { node: { content: string } }[] };
  return edges.map(({ node }) => node.content).sort();
}

/** Sends headers that `fetch` does not let through. */
function rawGet(url: string, headers: Record<string, string | string[]>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the reference app', () => {
  const folder = temporaryFolder();
  const env = { ENGRAM_DATA_DIR: folder.path };
  const running: AppProcess[] = [];
  let slowestStart = 0;
  const start = async (extra: Record<string, string> = {}): Promise<AppProcess> => {
    const began = performance.now();
    const app = await AppProcess.start({ ...env, ...extra });
    slowestStart = Math.max(slowestStart, performance.now() - began);
    running.push(app);
    return app;
  };

  beforeAll(async () => {
    // Creates the database, so that each test only opens it.
    await (await start()).stop();
  }, SLOW);
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.stop('SIGKILL')));
  });
  afterAll(() => folder.remove());

  it(
    'says on two lines where it listens and on which adapters, and nothing else',
    async () => {
      const app = await start();
      const lines = app.stdout.trimEnd().split('\n');
      expect(lines).toHaveLength(2);
      expect(lines[0]).toMatch(/listens on http:\/\/127\.0\.0\.1:\d+\/graphql.*this machine only/);
      expect(lines[1]).toMatch(
        /^adapters: storage embedded in .*, embedder local:.*, completion local:rules, queue in-process$/,
      );
      await app.stop();
      expect(app.stderr).toBe('');
    },
    SLOW,
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'keeps its memories across a restart, and stops with 0 on %s',
    async (signal) => {
      const content = `Remembers ${signal}`;
      const first = await start();
      await first.graphql(ADD, { content });
      expect(await first.stop(signal)).toEqual({ code: 0, signal: null });
      const second = await start();
      expect(contents(await second.graphql(ALL))).toContain(content);
    },
    SLOW,
  );

  it(
    'answers the requests that were sent before the signal, and closes web sockets with 1001',
    async () => {
      const app = await start();
      await app.graphql(ADD, { content: 'Has a warm model' });
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init' }));
      await once(socket, 'message');
      const closed = once(socket, 'close');
      const sent = Array.from({ length: 4 }, (_, count) => {
        const post = request(`${app.url}/graphql`, {
          method: 'POST',
          agent: false,
          headers: { 'content-type': 'application/json', 'x-user-id': 'in-flight' },
        });
        const answer = once(post, 'response').then(async ([response]) => text(response as IncomingMessage));
        post.end(JSON.stringify({ query: ADD, variables: { content: `Has visited ${count} countries` } }));
        return { written: once(post, 'finish'), answer };
      });
      await Promise.all(sent.map(({ written }) => written));
      const [exit, ...answers] = await Promise.all([app.stop('SIGTERM'), ...sent.map(({ answer }) => answer)]);
      expect(answers.map((answer) => JSON.parse(answer) as unknown)).toEqual(
        answers.map(() => ({ data: { addMemory: { memory: { id: expect.any(String) }, rejection: null } } })),
      );
      expect((await closed)[0]).toBe(1001);
      expect(exit).toEqual({ code: 0, signal: null });
    },
    SLOW,
  );

  it(
    'stops with 0 although a client has sent half a request, and another does not answer the close of its web socket',
    async () => {
      const app = await start();
      const { hostname, port } = new URL(app.url);
      const head = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\n';
      const upgrade = [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol: graphql-transport-ws',
      ].join('\r\n');
      const half = connect(Number(port), hostname);
      half.on('error', () => undefined).write(`POST /graphql HTTP/1.1\r\n${head}Content-Length: 500\r\n\r\n{`);
      const silent = connect(Number(port), hostname);
      silent.on('error', () => undefined).write(`GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}\r\n\r\n`);
      await once(silent, 'data');
      expect(await app.stop('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(app.stderr).toBe('');
      half.destroy();
      silent.destroy();
    },
    SLOW,
  );

  it(
    'has a memory after SIGKILL as soon as its mutation returned',
    async () => {
      let app = await start();
      for (const round of [1, 2, 3]) {
        const content = `Was killed ${round} times`;
        const { data } = await app.graphql(ADD, { content }, { 'x-user-id': 'killed' });
        app.signal('SIGKILL');
        expect(data).toMatchObject({ addMemory: { memory: { id: expect.any(String) } } });
        await app.exited;
        app = await start();
        expect(contents(await app.graphql(ALL, {}, { 'x-user-id': 'killed' }))).toHaveLength(round);
      }
    },
    2 * SLOW,
  );

  it(
    'applies a turn that it had accepted before it was killed',
    async () => {
      const user = { 'x-user-id': 'accepted' };
      const app = await start();
      const { data } = await app.graphql(
        'mutation { observeLater(input: { turnId: "t1", messages: [{ role: USER, content: "I am vegetarian." }] }) { status duplicate } }',
        {},
        user,
      );
      app.signal('SIGKILL');
      expect(data).toEqual({ observeLater: { status: 'PENDING', duplicate: false } });
      await app.exited;
      const next = await start();
      const applied = async (): Promise<unknown> =>
        (
          (await next.graphql('{ observation(turnId: "t1") { status } }', {}, user)).data?.['observation'] as {
            status: string;
          }
        ).status;
      for (let status = await applied(); status === 'PENDING' || status === 'RUNNING'; status = await applied()) {
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      expect(await applied()).toBe('APPLIED');
      expect(contents(await next.graphql(ALL, {}, user))).toEqual(['Is vegetarian']);
      // A claim that died with its process is taken over when its lease ends.
    },
    2 * SLOW,
  );

  it.each([200, 600, 1_200])(
    'stops with 0 when the signal comes %d ms into its start',
    async (delay) => {
      const app = await AppProcess.spawn(env);
      running.push(app);
      await new Promise((resolve) => setTimeout(resolve, delay));
      const { code } = await app.stop('SIGTERM');
      const next = await start();
      expect((await next.graphql(ALL)).errors).toBeUndefined();
      const ends: [number | null, string][] = [
        [0, ''],
        // Before Node runs the first line of the app, the signal still has its default meaning.
        [null, ''],
      ];
      // A stop that waits for a start is cut off where the machine takes too long for both.
      if (slowestStart > A_LONG_START_MS) ends.push([1, CUT_OFF]);
      expect(ends).toContainEqual([code, app.stderr]);
    },
    SLOW,
  );

  it.each([
    ['PORT', { PORT: 'http' }],
    ['ENGRAM_JWT_SECRET', { ENGRAM_JWT_SECRET: '' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root:hunter2@localhost/x' }],
    ['HOST', { HOST: '0.0.0.0' }],
  ])(
    'refuses a wrong %s in one line that names it, and opens nothing',
    async (name, wrong) => {
      const app = await AppProcess.spawn({ ...env, ...wrong });
      expect((await app.exited).code).toBe(1);
      expect(app.stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(name)]);
      expect(app.stderr).not.toContain('hunter2');
      expect(app.stdout).toBe('');
    },
    SLOW,
  );

  describe('while it runs', () => {
    let app: AppProcess;

    beforeAll(async () => {
      app = await AppProcess.start(env);
    }, SLOW);
    afterAll(async () => {
      await app.stop('SIGKILL');
    });

    it(
      'answers its health check while it can serve',
      async () => {
        const response = await fetch(`${app.url}/health`);
        expect(response.status).toBe(200);
        expect(await response.json()).toMatchObject({ status: 'ok', details: { memory: { status: 'up' } } });
      },
      SLOW,
    );

    it(
      'answers 404 to a web socket that is asked for elsewhere, and closes it',
      async () => {
        const { hostname, port } = new URL(app.url);
        const socket = connect(Number(port), hostname);
        let answer = '';
        socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
        socket.write('GET /other HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
        await once(socket, 'end');
        expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      },
      SLOW,
    );

    it(
      'lets no second process onto its data folder, and serves on',
      async () => {
        const second = await AppProcess.spawn(env);
        expect((await second.exited).code).toBe(1);
        expect(second.stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('in use by another process')]);
        expect(second.stderr).toContain(folder.path);
        expect((await app.graphql(ADD, { content: 'Serves on' })).data).toMatchObject({
          addMemory: { rejection: null },
        });
      },
      SLOW,
    );

    it(
      'says in one line that its port is in use',
      async () => {
        const other = temporaryFolder();
        try {
          const second = await AppProcess.spawn({ ENGRAM_DATA_DIR: other.path, PORT: new URL(app.url).port });
          expect((await second.exited).code).toBe(1);
          expect(second.stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/Port \d+ .* in use.*set PORT/)]);
        } finally {
          other.remove();
        }
      },
      SLOW,
    );

    it(
      'is not reached by pages of other sites',
      async () => {
        for (const path of ['/health', '/graphql']) {
          for (const headers of <Record<string, string>[]>[
            { host: 'evil.example' },
            { host: '127.0.0.1.evil.example' },
            { origin: 'http://evil.example' },
            { origin: 'null' },
            { origin: 'http://127.0.0.1:1' },
          ]) {
            const { status, body } = await rawGet(`${app.url}${path}`, headers);
            expect([path, headers, status]).toEqual([path, headers, 403]);
            expect(body).toContain('FORBIDDEN');
          }
        }
        expect((await rawGet(`${app.url}/health`, { origin: app.url })).status).toBe(200);
      },
      SLOW,
    );

    it(
      'takes an absent identity header as demo, and refuses an empty or a repeated one',
      async () => {
        const as = async (headers: Record<string, string | string[]>): Promise<string> =>
          (
            await rawGet(`${app.url}/graphql?query=${encodeURIComponent('{memories{totalCount}}')}`, {
              'apollo-require-preflight': '1',
              ...headers,
            })
          ).body;
        expect(await as({ 'x-user-id': '' })).toContain('UNAUTHENTICATED');
        expect(await as({ 'x-tenant-id': ' ' })).toContain('UNAUTHENTICATED');
        expect(await as({ 'x-user-id': ['demo', 'other'] })).toContain('UNAUTHENTICATED');
        expect(await as({ 'x-user-id': 'nobody,yet' })).toContain('"totalCount":0');
        const mine = await app.graphql(ALL);
        expect(contents(mine)).toEqual(
          contents(await app.graphql(ALL, {}, { 'x-user-id': 'demo', 'x-tenant-id': 'demo' })),
        );
      },
      SLOW,
    );
  });
});
