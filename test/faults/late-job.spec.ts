import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { CompletionRequest, CompletionResult, ScopedMemory } from 'nestjs-engram';
import { Gate, GatedEmbedder } from '../support/gate.js';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';
import { wholeDatabase } from '../support/whole-database.js';
import { MemoryWorker } from './memory-worker.js';
import { onServer } from './native.js';
import { SubjectModel } from './subject-model.js';
import { PLACES } from './worker-messages.js';
import type { Place } from './worker-messages.js';

const TURN = 'the turn';

/** A model that keeps its answer back where a gate is set. */
class GatedModel extends SubjectModel {
  readonly gates: Partial<Record<'extract' | 'consolidate', Gate>> = {};

  override async complete(request: CompletionRequest): Promise<CompletionResult> {
    const result = await super.complete(request);
    await this.gates[request.task]?.pass();
    return result;
  }
}

const said = (name: string) => [{ role: 'user' as const, content: `Owns boat ${name}.` }];

/** What somebody does while the job is on its way, and the status in which the turn is then found. */
const events: [string, (memory: ScopedMemory, app: PostgresApp) => Promise<unknown>, string | null][] = [
  ['an erasure', (memory) => memory.forgetAll(), null],
  ['a switch-off', (memory) => memory.setEnabled(false), 'disabled'],
  [
    'a switch-off and on again',
    async (memory) => {
      await memory.setEnabled(false);
      await memory.setEnabled(true);
    },
    'disabled',
  ],
  // As far as the claim shows, it is still held: a copy of the database that was put back in part, say.
  ...[
    ['a new generation', 'generation = gen_random_uuid()', 'rejected'],
    ['an erasure that is dated after it was said', "erased_at = clock_timestamp() + interval '1 second'", 'rejected'],
    ['a scope that is off', 'enabled = false', 'disabled'],
  ].map(([name = '', change = '', status = '']): (typeof events)[number] => [
    `${name}, which left it running`,
    ({ scope }, app) =>
      app.dataSource.query(`UPDATE engram.memory_scopes SET ${change} WHERE scope = $1`, [scope.scope]),
    status,
  ]),
];
describe('a job that has its answers but has not stored them', () => {
  const completion = new GatedModel();
  const embedder = new GatedEmbedder();
  let app: PostgresApp;
  let atCommit: Gate | null = null;

  beforeAll(async () => {
    app = await openPostgresApp({ completion, embedder });
    const write = app.store.write.bind(app.store);
    app.store.write = async (scope, work) => {
      await atCommit?.pass();
      return write(scope, work);
    };
  });
  afterAll(() => app.close());

  /** A scope with a memory to weigh a new one against. */
  async function newMemory(): Promise<ScopedMemory> {
    const memory = app.of(randomUUID());
    await memory.add('Owns boat first.');
    return memory;
  }

  /** A turn of it that waits there, in this process. @returns lets it go, and resolves when it has ended */
  async function holdHere(memory: ScopedMemory, place: Place, sentinel: string): Promise<() => Promise<unknown>> {
    const gate = new Gate();
    if (place === 'commit') atCommit = gate;
    else if (place === 'embed') embedder.gate = gate;
    else completion.gates[place] = gate;
    const job = memory.observe(said(sentinel), { turnId: TURN }).catch((error: unknown) => error);
    await gate.reached;
    atCommit = null;
    embedder.gate = null;
    delete completion.gates.extract;
    delete completion.gates.consolidate;
    return () => {
      gate.open();
      return job;
    };
  }

  /** The same in a process of its own. */
  async function holdElsewhere(memory: ScopedMemory, place: Place, sentinel: string): Promise<() => Promise<unknown>> {
    const { options } = app.dataSource;
    const worker = new MemoryWorker({ url: (options as { url: string }).url, holdAt: place, sweepIntervalMs: 0 });
    await worker.ready;
    await worker.observeLater({ scope: memory.scope, turnId: TURN, messages: said(sentinel) });
    await worker.held;
    return () => {
      worker.letGo();
      // It finishes what runs.
      return worker.kill('SIGTERM');
    };
  }

  const processes = [['in this process', holdHere, PLACES]] as [string, typeof holdHere, readonly Place[]][];
  if (onServer) processes.push(['in another process', holdElsewhere, ['extract', 'commit']]);

  describe.each(processes)('%s', (_, hold, places) => {
    it.each(places.flatMap((place) => events.map(([name, act, status]) => [name, place, act, status] as const)))(
      'writes nothing after %s, held at %s',
      async (_name, place, act, status) => {
        const sentinel = `s${randomUUID()}`;
        const memory = await newMemory();
        const letGo = await hold(memory, place, sentinel);
        await act(memory, app);
        const before = app.events.events.length;
        await letGo();
        expect((await memory.observation(TURN))?.status ?? null).toBe(status);
        expect(app.events.events.slice(before).filter(({ name }) => name.startsWith('memory.'))).toEqual([]);
        expect(await wholeDatabase(app.dataSource)).not.toContain(sentinel);
        expect((await memory.list()).memories.map(({ content }) => content)).toEqual(
          status === null ? [] : ['Owns boat first.'],
        );
      },
    );

    it.each(places)('held at %s, does not answer for the same turnId handed in after an erasure', async (place) => {
      const [sentinel, again] = [`s${randomUUID()}`, `a${randomUUID()}`];
      const memory = await newMemory();
      const letGo = await hold(memory, place, sentinel);
      await memory.forgetAll();
      const observed = await memory.observe(said(again), { turnId: TURN });
      expect(observed).toMatchObject({ status: 'applied', duplicate: false });
      await letGo();
      expect((await memory.list()).memories.map(({ content, version }) => [content, version])).toEqual([
        [`Owns boat ${again}.`, 1],
      ]);
      expect((await memory.observation(TURN))?.status).toBe('applied');
      expect(await wholeDatabase(app.dataSource)).not.toContain(sentinel);
    });

    it.each(places)(
      'held at %s, leaves a turn of the same id that waits after an erasure to its own worker',
      async (place) => {
        const [sentinel, again] = [`s${randomUUID()}`, `a${randomUUID()}`];
        const memory = await newMemory();
        const letGo = await hold(memory, place, sentinel);
        await memory.forgetAll();
        await memory.observeLater(said(again), { turnId: TURN });
        await letGo();
        // What has ended goes on with what waits in its scope, unless the stop of a worker elsewhere comes before.
        const { status } = (await memory.observation(TURN)) ?? {};
        expect(hold === holdHere ? ['applied'] : ['pending', 'applied']).toContain(status);
        expect((await memory.list()).memories.map(({ content, version }) => [content, version])).toEqual(
          status === 'applied' ? [[`Owns boat ${again}.`, 1]] : [],
        );
        expect(await wholeDatabase(app.dataSource)).not.toContain(sentinel);
      },
    );
  });
});
