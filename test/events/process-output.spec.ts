import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenAiServer } from 'nestjs-engram/testing';
import { extracted } from '../memory/memory-app.js';
import { AppProcess, temporaryFolder } from '../server/app-process.js';

/** Stands in everything that is said. */
const SAID = 'Quagmire';
/** The app may have to be built first. */
const SLOW = 600_000;

// Real: the reference app as a process of its own, with the loggers of everything it uses turned up.
describe('the output of a process', () => {
  const folder = temporaryFolder();
  let service: OpenAiServer;
  let fails = false;
  let app: AppProcess;

  beforeAll(async () => {
    service = await OpenAiServer.start({
      answer: () => extracted(`Moved to ${SAID}`),
      intercept: ({ body }) =>
        fails ? { status: 500, body: { error: { message: JSON.stringify(body), code: SAID } } } : null,
    });
    app = await AppProcess.start({
      ENGRAM_DATA_DIR: folder.path,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: service.baseURL,
      OPENAI_LOG: 'debug',
      DEBUG: '*',
    });
  }, SLOW);
  afterEach(() => void (fails = false));
  afterAll(async () => {
    await app.stop('SIGKILL');
    await service.stop();
    folder.remove();
  });

  it(
    'has nothing of what was said, whatever fails',
    async () => {
      const add =
        'mutation ($c: String!, $m: JSONObject) { addMemory(input: { content: $c, metadata: $m }) { memory { id } } }';
      const observe = `mutation ($c: String!, $t: ID) {
        observe(input: { turnId: $t, messages: [{ role: USER, content: $c }] }) { status } }`;
      const later = observe.replace('observe(', 'observeLater(');
      const everything = async (): Promise<void> => {
        await app.graphql(add, { c: `Owns a boat named ${SAID}`, m: { [SAID]: SAID } });
        await app.graphql('query ($q: String!) { recall(query: $q) { score } }', { q: `the boat ${SAID}` });
        await app.graphql(observe, { c: `I moved to ${SAID} ${fails}.`, t: `${SAID} ${fails}` });
        await app.graphql(later, { c: `I like it in ${SAID} ${fails}.`, t: `${SAID} later ${fails}` });
        await app.graphql(add, { c: SAID.repeat(1_000) });
        await app.graphql(add, { c: `The key of ${SAID} is AKIAIOSFODNN7EXAMPLA` });
        await app.graphql(`query { recall(query: "${SAID}") { ${SAID} } }`);
        await fetch(`${app.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: `{${SAID}`,
        });
      };
      await everything();
      fails = true;
      await everything();
      await app.stop();
      expect(app.stdout).toContain('nestjs-engram listens');
      expect(app.stdout).not.toContain(SAID);
      expect(app.stderr).not.toContain(SAID);
    },
    SLOW,
  );
});
