import { expect, it } from '@jest/globals';
import type { Completion } from 'nestjs-engram';
import { Gate } from '../support/gate.js';
import { openPostgresApp } from '../support/postgres-app.js';

// Real: Postgres, whose connections are closed with the app.
it('an observe() that is cut off when the app closes says that its turn waits, before the connections are gone', async () => {
  const gate = new Gate();
  const completion: Completion = {
    name: 'waiting:model',
    tasks: ['extract'],
    complete: async () => {
      await gate.pass();
      return { text: '{"memories":[]}' };
    },
  };
  const app = await openPostgresApp({ completion, observation: { shutdownGraceMs: 100 } });
  const observing = app.of('ana').observe([{ role: 'user', content: 'I sail on Sundays' }], { turnId: 'a' });
  await gate.reached;
  const [observed] = await Promise.all([observing, app.close()]);
  expect(observed).toMatchObject({ turnId: 'a', status: 'pending', duplicate: false, error: null });
  gate.open();
});
