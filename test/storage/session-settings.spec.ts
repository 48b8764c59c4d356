import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../../src/testing/memory-store-contract/samples.js';
import { newMemory } from '../support/new-memory.js';
import { openPostgresStore } from '../support/postgres-store.js';
import type { PostgresStoreUnderTest } from '../support/postgres-store.js';

// Real: Postgres, with settings as a role or a database of a host may have them. One connection, which keeps what is set.
describe('the settings of a connection', () => {
  let subject: PostgresStoreUnderTest;
  beforeAll(async () => {
    subject = await openPostgresStore({ poolSize: 1 });
    await subject.dataSource.initialize();
  });
  afterAll(() => subject.close());

  it.each([
    ['DateStyle', 'SQL, DMY', /DateStyle .* "SQL, DMY".* ALTER ROLE "\w+" SET DateStyle = 'ISO';$/],
    ['DateStyle', 'German', /DateStyle .* "German, DMY"/],
    ['array_nulls', 'off', /array_nulls .* "off".* SET array_nulls = 'on';$/],
  ])('are refused at start with what to do where %s is %s', async (name, value, message) => {
    const { dataSource, store } = subject;
    await dataSource.query(`SET ${name} = '${value}'`);
    try {
      await expect(store.start()).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        message: expect.stringMatching(message),
      });
    } finally {
      await dataSource.query(`RESET ${name}`);
    }
  });

  it('may be any others: texts, dates and numbers come back as they are, and words are found', async () => {
    const { dataSource, store } = subject;
    for (const setting of [
      "DateStyle = 'ISO, DMY'",
      "IntervalStyle = 'iso_8601'",
      "TimeZone = 'America/St_Johns'",
      "bytea_output = 'escape'",
      'extra_float_digits = 0',
      'standard_conforming_strings = off',
      'backslash_quote = off',
      'transform_null_equals = on',
    ])
      await dataSource.query(`SET ${setting}`);
    await store.start();
    const scope = { tenantId: 'acme', scope: 'user\\1' };
    const memory = newMemory("Says 'a\\b' in C:\\temp", { importance: 0.1234567 });
    await store.write(scope, (writer) => writer.insert([memory]));
    expect(await store.recall(scope, query({ words: memory.content }))).toMatchObject([
      { memory: { id: memory.id, content: memory.content } },
    ]);
    const importance = await store.write(scope, async (writer) => (await writer.find(memory.id))?.importance);
    expect(Math.fround(importance ?? 0)).toBe(Math.fround(0.1234567));
    const { generation } = await store.scopeState(scope);
    const occurredAt = new Date('2024-03-04T05:06:07.089Z');
    const messagesHash = Buffer.from([0, 1, 92, 200]);
    await store.turns.insert(scope, {
      turnId: 'a',
      messages: [{ role: 'user', content: 'back\\slash' }],
      messagesHash,
      occurredAt,
      timeZone: null,
      generation,
    });
    expect(await store.turns.find(scope, 'a')).toMatchObject({
      occurredAt,
      messagesHash,
      messages: [{ content: 'back\\slash' }],
    });
  });
});
