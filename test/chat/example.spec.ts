import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../server/app-process.js';
import { ChatServer } from './chat-server.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/chat.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const REMEMBERED = 'Is vegetarian</engram-memory>';

// Real: the example as a process, its embedded database, the local models. A double: the chat service.
describe('the chat example', () => {
  const folder = temporaryFolder();
  let server: ChatServer;
  beforeAll(async () => {
    server = await ChatServer.start();
  });
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });

  /** One conversation on the terminal. */
  async function chat(talk: (say: (line: string) => Promise<string>) => Promise<void>): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, ['--import', TSX, EXAMPLE], {
      cwd: folder.path,
      env: {
        PATH,
        HOME,
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: server.baseURL,
        TSX_TSCONFIG_PATH: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)),
      },
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = once(child, 'close');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    try {
      await talk(async (line) => {
        child.stdin.write(`${line}\n`);
        for (;;) {
          const { value } = (await lines.next()) as { value: string };
          // On a busy machine recall may take longer than a chat waits, which is told.
          if (!value.includes('[ChatMemory]')) return value;
        }
      });
      child.stdin.end();
      expect(await ended).toEqual([0, null]);
      return stderr;
    } finally {
      child.kill('SIGKILL');
    }
  }

  /** Asks until a memory goes along with the question: a turn is learned in the background. */
  async function askUntilRemembered(say: (line: string) => Promise<string>): Promise<void> {
    for (let asked = 0; asked < 50; asked += 1) {
      expect(await say('What should I cook tonight?')).toBe('Hello there.');
      if (JSON.stringify(server.asked).includes(REMEMBERED)) return;
    }
    throw new Error('It was not remembered.');
  }

  it('remembers what was said, in the same conversation and in the next', async () => {
    const stderr = await chat(async (say) => {
      server.script({ content: 'Good to know.' });
      expect(await say("I'm vegetarian.")).toBe('Good to know.');
      await askUntilRemembered(say);
    });
    expect(stderr).toBe('');

    await chat(async (say) => {
      await askUntilRemembered(say);
      const [system, ...said] = server.asked;
      expect(system?.['role']).toBe('system');
      expect(system?.['content']).toContain(REMEMBERED);
      // The app's own list stays without memories: they are recalled for each message anew.
      expect(JSON.stringify(said)).not.toMatch(/engram-memories|vegetarian/);
    });
  }, 900_000);
});
