import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Memory, ScopedMemory } from 'nestjs-engram';
import { ScriptedCompletion } from 'nestjs-engram/testing';
import { describeOnServer } from '../faults/native.js';
import { decided, extracted } from '../memory/memory-app.js';
import { inTransaction, waitsForLock } from '../support/open-transaction.js';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';

/** What has to be there before, and then the call. */
type Change = (memory: ScopedMemory, first: Memory, second: Memory) => Promise<() => Promise<unknown>>;

// Real: the module, Postgres, its locks and sessions. Doubles: embedder, completion, events, a queue that only listens.
describeOnServer('a call that changes several memories', () => {
  let app: PostgresApp;
  const completion = new ScriptedCompletion();
  let users = 0;

  beforeAll(async () => {
    app = await openPostgresApp({ completion, observation: { neighbours: 1, mergeTurns: 2 } });
  });
  afterAll(() => app.close());

  /** Whatever counts a recall locks memories by their ids, without the scope's lock. */
  const hold = 'SELECT FROM engram.memories WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE NOWAIT';

  /** The second memory is changed before the first, whose id is the lower. */
  const changes: Record<string, Change> = {
    'a turn that updates two': async (memory) => {
      completion.answer(
        extracted('Sold the blue boat', 'Is on the Enterprise plan'),
        decided('update', '1', 'Sold the blue boat'),
        decided('update', '1', 'Is on the Enterprise plan'),
      );
      const said = 'I sold the blue boat and switched to the Enterprise plan';
      return () => memory.observe([{ role: 'user', content: said }]);
    },
    'turns that are merged and update one each': async (memory) => {
      completion.answer(
        extracted(
          { content: 'Sold the blue boat', kind: 'fact', importance: 0.5, message: 0 },
          {
            content: 'Is on the Enterprise plan',
            kind: 'fact',
            importance: 0.5,
            message: 1,
          },
        ),
        decided('update', '1', 'Sold the blue boat'),
        decided('update', '1', 'Is on the Enterprise plan'),
      );
      await memory.observeLater([{ role: 'user', content: 'I sold the blue boat' }]);
      return () => memory.observe([{ role: 'user', content: 'I switched to the Enterprise plan' }]);
    },
    'an update that closes an expired memory of its text': async (memory, first, second) => {
      await app.dataSource.query(
        'UPDATE engram.memories SET expires_at = created_at WHERE tenant_id = $1 AND id = $2',
        ['acme', second.id],
      );
      return () => memory.update(first.id, { content: second.content });
    },
    'a restore that closes its own expired state and another memory of its text': async (memory, first, second) => {
      await memory.update(second.id, { content: 'Owns a house' });
      await memory.update(first.id, { content: second.content });
      await app.dataSource.query(
        'UPDATE engram.memories SET expires_at = created_at WHERE tenant_id = $1 AND id = ANY($2)',
        ['acme', [first.id, second.id]],
      );
      return () => memory.restore(second.id, 1);
    },
  };

  const rowOf = ({ id }: Memory): Promise<unknown> =>
    app.dataSource.query('SELECT m::text FROM engram.memories m WHERE tenant_id = $1 AND id = $2', ['acme', id]);

  it.each(Object.entries(changes))(
    'locks them in the order of their ids, and so never deadlocks: %s',
    async (_, change) => {
      users += 1;
      const memory = app.of(`u${users}`);
      const { memory: first } = await memory.add('Is on the Pro plan');
      const { memory: second } = await memory.add('Owns a blue boat');
      if (!first || !second) throw new Error('nothing was stored');
      expect(first.id < second.id).toBe(true);
      const call = await change(memory, first, second);
      const before = await rowOf(second);
      await inTransaction(app.dataSource, async (open, commit) => {
        await open.query(hold, ['acme', first.id]);
        const changed = call();
        expect(await waitsForLock(app.dataSource, changed)).toBe(true);
        await open.query(hold, ['acme', second.id]);
        await commit();
        await changed;
      });
      expect(await rowOf(second)).not.toEqual(before);
    },
  );
});
