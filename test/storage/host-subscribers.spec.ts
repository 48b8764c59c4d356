import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EntitySubscriberInterface } from 'typeorm';
import { openPostgresApp } from '../support/postgres-app.js';
import type { PostgresApp } from '../support/postgres-app.js';

const fails = (): never => {
  throw new Error('of the host');
};
const rejects = (): Promise<never> => Promise.reject(new Error('of the host'));

// Real: Postgres, TypeORM with subscribers as a host has them, the module.
describe('a subscriber of the host that fails', () => {
  let app: PostgresApp;
  const told = (): string[] => app.events.of('memory.added').map(({ memoryId }) => memoryId);
  const subscribe = (subscriber: EntitySubscriberInterface): void => void app.dataSource.subscribers.push(subscriber);

  beforeAll(async () => {
    app = await openPostgresApp();
    Logger.overrideLogger(false);
  });
  afterEach(() => {
    app.dataSource.subscribers.length = 0;
    app.events.events.length = 0;
  });
  afterAll(async () => {
    await app.close();
    Logger.overrideLogger(true);
  });

  it.each([fails, rejects])(
    'after the commit makes nothing that is stored look lost: %s',
    async (afterTransactionCommit) => {
      subscribe({ afterTransactionCommit });
      const { memory } = await app.of('a').add(`Sails ${afterTransactionCommit.name}`);
      expect(told()).toEqual([memory?.id]);
      expect(await app.of('a').get(memory?.id ?? '')).toMatchObject({ version: 1 });
    },
  );

  it.each([fails, rejects])(
    "after the host's own commit keeps nobody from hearing what it stored: %s",
    async (afterTransactionCommit) => {
      subscribe({ afterTransactionCommit });
      const memory = app.of(afterTransactionCommit.name);
      const stored = app.dataSource.transaction(async (manager) => {
        await memory.within(manager).add('Sails');
      });
      await expect(stored).rejects.toThrow('of the host');
      const { memories } = await memory.list();
      expect(memories.map(({ content }) => content)).toEqual(['Sails']);
      expect(told()).toEqual(memories.map(({ id }) => id));
    },
  );

  it('before the commit leaves nothing, and nothing is told', async () => {
    subscribe({ beforeTransactionCommit: fails });
    await expect(app.of('b').add('Sails')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    app.dataSource.subscribers.length = 0;
    expect(await app.of('b').stats()).toMatchObject({ total: 0 });
    expect(told()).toEqual([]);
  });
});
