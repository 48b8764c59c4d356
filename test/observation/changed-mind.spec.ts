import { afterEach, describe, expect, it } from '@jest/globals';
import type { Completion } from 'nestjs-engram';
import { LocalCompletion } from 'nestjs-engram/local';
import { ScriptedCompletion } from 'nestjs-engram/testing';
import { aliasOf } from '../cases/model-outputs.js';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';

/** A model that extracts by rules and always says that the noodles changed. */
function model(): ScriptedCompletion {
  const local = new LocalCompletion();
  const extracted = async (request: Parameters<Completion['complete']>[0]): Promise<string> =>
    (await local.complete(request)).text;
  return new ScriptedCompletion([
    extracted,
    extracted,
    (request) =>
      JSON.stringify({ action: 'update', memory: aliasOf(request, 'Loves noodles'), content: 'Cannot stand noodles' }),
  ]);
}

describe('a changed mind, through the module', () => {
  let app: PostgresApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  it.each([
    ['heuristic', (): Completion => new LocalCompletion()],
    ['llm', model],
  ] as const)('leaves one memory of the new sense, and the old one in its history: %s', async (consolidation, make) => {
    app = await openPostgresApp({ completion: make(), observation: { consolidation } });
    const memory = app.of('1');
    await memory.observe([{ role: 'user', content: 'I love noodles' }], { turnId: 'a' });
    await memory.observe([{ role: 'user', content: "I can't stand noodles any more" }], { turnId: 'b' });

    const { memories } = await memory.list();
    expect(memories.map(({ content, kind }) => [content, kind])).toEqual([['Cannot stand noodles', 'preference']]);
    const history = await memory.history(memories[0]?.id ?? '');
    expect(history.map(({ content }) => content)).toContain('Loves noodles');
    const recalled = await memory.recall('noodles');
    expect(recalled.map(({ memory: { content } }) => content)).toEqual(['Cannot stand noodles']);
  });
});
