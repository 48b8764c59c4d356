import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenAI } from 'openai';
import { SecretlintPersistencePolicy } from 'nestjs-engram';
import type { Message, ScopedMemory } from 'nestjs-engram';
import { withMemory } from 'nestjs-engram/openai';
import { extracted, memoryApp } from '../memory/memory-app.js';
import type { MemoryApp } from '../memory/memory-app.js';
import { Gate } from '../support/gate.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';
import { ChatServer, chunkOf, StreamedReply } from './chat-server.js';

/** Masks like its parent, and waits at a gate before it where one is set: a turn on its way into the store. */
class GatedPolicy extends SecretlintPersistencePolicy {
  gate: Gate | null = null;

  override async mask(messages: readonly Message[]): Promise<Message[]> {
    await this.gate?.pass();
    return super.mask(messages);
  }
}

// Real: the client, the module, its use cases, Postgres. Doubles: the chat service, embedder, completion, events.
describe('a chat in an app', () => {
  let database: PostgresStoreUnderTest;
  let server: ChatServer;
  let app: MemoryApp;
  let policy: GatedPolicy;
  let tenant: string;
  let memory: ScopedMemory;
  let client: OpenAI;
  let openai: OpenAI;

  beforeAll(async () => {
    server = await ChatServer.start();
    client = new OpenAI({ apiKey: 'sk-test', baseURL: server.baseURL });
    database = await openPostgresStore({ ownsDataSource: false });
    await database.dataSource.initialize();
  });
  afterAll(async () => {
    await server.stop();
    await database.dataSource.destroy();
    await database.close();
  });
  const start = async (): Promise<void> => {
    policy = new GatedPolicy();
    app = await memoryApp({ storage: { adapter: 'postgres', create: () => database.store }, policy });
    memory = app.of('1', tenant);
  };
  beforeEach(async () => {
    server.reset();
    tenant = randomUUID();
    await start();
    // However long the database takes on a busy machine.
    openai = withMemory(client, memory, { timeoutMs: 60_000 });
  });
  afterEach(() => app.close());

  const say = (content: string): Promise<OpenAI.ChatCompletion> =>
    openai.chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] });
  /** Statuses of the turns that were handed in, when there are as many. */
  const handedIn = async (count: number): Promise<string[]> => {
    while (app.events.of('engram.observe-later').length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return app.events.of('engram.observe-later').map(({ status }) => status);
  };
  const learned = async (): Promise<void> => {
    while ((await memory.stats()).pendingTurns > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('remembers in one chat what was said in another', async () => {
    app.completion.answer(extracted('Sails a red dinghy'));
    await say('I sail a red dinghy.');
    expect(server.asked).toEqual([{ role: 'user', content: 'I sail a red dinghy.' }]);
    expect(await handedIn(1)).toEqual(['pending']);
    await learned();
    app.completion.answer(extracted());
    await say('Which dinghy do I sail?');
    expect(server.asked[0]?.['content']).toContain('<engram-memory kind="fact">Sails a red dinghy</engram-memory>');
    expect(server.asked[1]).toEqual({ role: 'user', content: 'Which dinghy do I sail?' });
    await handedIn(2);
    await learned();
    expect((await memory.list()).totalCount).toBe(1);
  });

  it('learns of a sentence beside a pasted book, which is cut', async () => {
    app.completion.answer(extracted('Sails a red dinghy'));
    await say(`I sail a red dinghy. ${'And on. '.repeat(10_000)}\u0000\ud83d`);
    expect(await handedIn(1)).toEqual(['pending']);
    await learned();
    expect((await memory.list()).totalCount).toBe(1);
  });

  it('neither recalls nor learns while memory is switched off', async () => {
    await memory.add('Sails a red dinghy');
    await memory.setEnabled(false);
    await say('Which dinghy do I sail?');
    expect(server.asked).toEqual([{ role: 'user', content: 'Which dinghy do I sail?' }]);
    expect(await handedIn(1)).toEqual(['disabled']);
  });

  it('learns nothing of what was said before everything was erased, however late the answer ends', async () => {
    const reply = new StreamedReply();
    server.script(reply.reply);
    const stream = await openai.chat.completions.create({
      model: 'gpt-4o-mini',
      stream: true,
      messages: [{ role: 'user', content: 'I sail a red dinghy.' }],
    });
    await reply.send(chunkOf({ content: 'Fair ' }));
    for await (const _ of stream) {
      await memory.forgetAll();
      await reply.end();
    }
    expect(await handedIn(1)).toEqual(['rejected']);
    expect(await memory.stats()).toMatchObject({ total: 0, pendingTurns: 0 });
  });

  it('loses no turn to the end of the app: what is being handed in is in the store when it has closed', async () => {
    const turnId = randomUUID();
    openai = withMemory(client, memory, { observe: { turnId }, timeoutMs: 60_000 });
    const gate = (policy.gate = new Gate());
    await say('I sail a red dinghy.');
    await gate.reached;
    const steps: string[] = [];
    const closed = app.close().then(() => steps.push('closed'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    steps.push('handed in');
    gate.open();
    await closed;
    expect(steps).toEqual(['handed in', 'closed']);
    expect(app.events.of('engram.observe-later')).toMatchObject([{ status: 'pending' }]);
    await start();
    expect(await memory.observation(turnId)).toMatchObject({ turnId });
  });
});
