import { expect, it } from '@jest/globals';
import { inProcessQueue } from 'nestjs-engram';
import { extracted, memoryApp } from '../memory/memory-app.js';
import { Gate } from '../support/gate.js';
import { until } from '../support/until.js';

const SCOPES = 8;

// Real: the module, its queue, worker and sweeper. Doubles: the store in memory, the models.
it('a queue in the process that is full leaves turns to the table, and all of them are learned', async () => {
  const app = await memoryApp({
    queue: inProcessQueue({ concurrency: 1, maxWaiting: 1 }),
    observation: { sweepIntervalMs: 20 },
  });
  try {
    const gate = new Gate();
    const answer = async (): Promise<string> => {
      await gate.pass();
      return extracted('Is vegetarian');
    };
    app.completion.answer(...Array.from({ length: SCOPES }, () => answer));
    const users = Array.from({ length: SCOPES }, (_, user) => app.of(`${user}`));
    for (const memory of users)
      await memory.observeLater([{ role: 'user', content: 'I am vegetarian' }], { turnId: 'a' });
    await gate.reached;
    gate.open();
    await until(async () => {
      const turns = await Promise.all(users.map((memory) => memory.observation('a')));
      return turns.every((turn) => turn?.status === 'applied');
    }, 'That every turn is learned');
    for (const memory of users) expect((await memory.list()).totalCount).toBe(1);
  } finally {
    await app.close();
  }
});
