import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedCompletion } from 'nestjs-engram/testing';
import { MODEL_OUTPUTS } from '../cases/model-outputs.js';
import type { ModelOutput } from '../cases/model-outputs.js';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';

interface MemoryRow {
  readonly id: string;
  readonly content: string;
  readonly kind: string;
  readonly importance: number;
  readonly source: string;
  readonly message_no: number | null;
  readonly version: number;
}

interface TurnRow {
  readonly status: string;
  readonly error_code: string | null;
  readonly messages: unknown;
  readonly decisions: readonly { readonly action: string; readonly memoryId: string | null }[] | null;
}

const CASES = Object.entries(MODEL_OUTPUTS);
const FOREIGN = 'Owns a lighthouse';

describe('what a model answers, and the rows that result', () => {
  let app: PostgresApp;
  const completion = new ScriptedCompletion();
  let scope = 0;
  beforeAll(async () => {
    app = await openPostgresApp({ completion, observation: { consolidation: 'llm' } });
    await app.of('somebody-else').add(FOREIGN);
  });
  afterAll(() => app.close());

  const rowsOf = async <Row>(table: string, columns: string, user: string): Promise<Row[]> =>
    app.dataSource.query<Row[]>(`SELECT ${columns} FROM engram.${table} WHERE tenant_id = 'acme' AND scope = $1`, [
      `user:${user}`,
    ]);

  async function observed({ known = [], messages, answers }: ModelOutput): Promise<{
    rows: string[];
    ended: string[];
    turn: TurnRow | undefined;
    ids: ReadonlySet<string>;
    spare: number;
    rejected: number;
  }> {
    const user = `case-${(scope += 1)}`;
    const memory = app.of(user);
    await memory.addMany(known.map((each) => (typeof each === 'string' ? { content: each } : each)));
    const before = completion.requests.length;
    completion.answer(...answers);
    await memory.observe(messages, { turnId: 'turn' });
    const asked = completion.requests.length - before;
    for (let left = asked; left < answers.length; left += 1) {
      await completion.complete({
        task: 'extract',
        prompt: { system: '', user: '' },
        schema: { name: '', schema: {} },
        input: { messages: [], occurredAt: new Date(0), timeZone: null },
      });
    }
    const rows = await rowsOf<MemoryRow>(
      'memories',
      'id, content, kind, importance, source, message_no, version',
      user,
    );
    const ended = await rowsOf<{ ended_by: string; content: string }>('memory_revisions', 'ended_by, content', user);
    const [turn] = await rowsOf<TurnRow>('memory_turns', 'status, error_code, messages, decisions', user);
    return {
      rows: rows
        .map(
          ({ source, kind, importance, message_no, version, content }) =>
            `${source} ${kind} ${importance} ${message_no ?? '-'} ${version}: ${content}`,
        )
        .sort(),
      ended: ended.map(({ ended_by, content }) => `${ended_by}: ${content}`).sort(),
      turn,
      ids: new Set(rows.map(({ id }) => id)),
      spare: answers.length - asked,
      rejected: app.events.of('memory.rejected').filter((event) => event.scope === `user:${user}`).length,
    };
  }

  describe.each(CASES)('%s', (_, cases) => {
    it.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, output) => {
      const { rows, ended, turn, ids, spare, rejected } = await observed(output);
      const failed = output.status === 'failed';

      expect(rows).toEqual([...output.rows].sort());
      expect(ended).toEqual(output.ended ?? []);
      expect(turn).toMatchObject({ status: output.status, error_code: output.error ?? null });
      expect((turn?.decisions ?? []).map(({ action }) => action)).toEqual(output.actions ?? []);
      // A turn that failed is kept to be tried again; any other one leaves nothing of what was said.
      expect(turn?.messages === null).toBe(!failed);
      expect(rejected).toBe(output.rejected ?? 0);
      // Every question was asked that the case has an answer for, and no other.
      expect(spare).toBe(0);
      for (const { action, memoryId } of turn?.decisions ?? [])
        if (memoryId !== null && action !== 'forget') expect(ids).toContain(memoryId);
    });
  });

  it('skips a memory of another scope that is named by its real id', async () => {
    const [foreign] = (await app.of('somebody-else').list()).memories;
    const { rows, turn } = await observed({
      name: '',
      known: ['Is on the Pro plan'],
      messages: [{ role: 'user', content: 'I own a lighthouse' }],
      answers: [
        '{"memories": [{"content": "Owned a lighthouse", "message": 0}]}',
        JSON.stringify({ action: 'forget', memory: foreign?.id }),
      ],
      rows: [],
      status: 'nothing',
    });
    expect(rows).toEqual(['manual fact 0.5 - 1: Is on the Pro plan']);
    expect(turn).toMatchObject({ status: 'nothing', decisions: [] });
    expect((await app.of('somebody-else').list()).memories.map(({ content }) => content)).toEqual([FOREIGN]);
  });

  it('skips a memory of the scope that is named by its real id', async () => {
    const memory = app.of('by-id');
    const { memory: known } = await memory.add('Is on the Pro plan');
    completion.answer(
      '{"memories": [{"content": "Is on the Enterprise plan", "message": 0}]}',
      JSON.stringify({ action: 'forget', memory: known?.id }),
    );
    await memory.observe([{ role: 'user', content: 'I am on the Enterprise plan' }]);
    expect((await memory.list()).memories.map(({ content }) => content)).toEqual(['Is on the Pro plan']);
  });

  it('learns a turn whose first answer was cut off once a whole one comes', async () => {
    const memory = app.of('cut-once');
    completion.answer('{"memories": [{"content": "Is vegetarian", "mess');
    const said = [{ role: 'user', content: 'I am vegetarian and live in Porto' }] as const;
    expect(await memory.observe(said, { turnId: 't' })).toMatchObject({ status: 'failed' });
    await app.dataSource.query(`UPDATE engram.memory_turns SET run_after = now() WHERE scope = 'user:cut-once'`);
    completion.answer('{"memories": ["Is vegetarian"]}', '{"memories": ["Lives in Porto"]}');
    await memory.observe([{ role: 'user', content: 'and I live in Porto' }], { turnId: 'u' });
    expect(await memory.observation('t')).toMatchObject({ status: 'applied' });
  });

  it('has at least 90 outputs', () => {
    expect(CASES.flatMap(([, cases]) => cases).length).toBeGreaterThanOrEqual(90);
  });
});
