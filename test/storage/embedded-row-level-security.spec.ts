import { expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedPostgres } from 'nestjs-engram/embedded';
import type { DataSource } from 'typeorm';
import { sentValues } from '../support/sent-values.js';

// A first start makes the cluster: seconds, on a busy machine many.
const FIRST_START_MS = 600_000;

it(
  'the embedded storage runs every statement of a scope as a role that policies bind',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'engram-secured-'));
    const store = await embeddedPostgres({ dataDir, rowLevelSecurity: true }).create();
    try {
      await store.start();
      const { dataSource } = store as unknown as { dataSource: DataSource };
      const sent: { sql: string; parameters: unknown[] }[] = [];
      const { logger } = dataSource;
      dataSource.logger = Object.create(logger, {
        logQuery: { value: (sql: string, parameters: unknown[] = []) => sent.push({ sql, parameters }) },
      });
      await store.scopeState({ tenantId: 'acme', scope: 'user:42' });
      await store.list({ tenantId: 'acme', scope: 'user:42' }, { limit: 10 });
      const entered = sent
        .filter(({ sql }) => sql.includes('set_config'))
        .map(({ parameters }) => sentValues(parameters).flat());
      expect(entered.length).toBeGreaterThanOrEqual(2);
      for (const settings of entered)
        expect(settings).toEqual(expect.arrayContaining(['engram_app', 'acme', 'user:42']));
      const [row] = await dataSource.query(
        `SELECT bool_and(relforcerowsecurity) AS forced FROM pg_class
       WHERE relnamespace = 'engram'::regnamespace AND relkind = 'r' AND relname <> 'engram_migrations'`,
      );
      expect(row).toEqual({ forced: true });
    } finally {
      await store.stop();
      rmSync(dataDir, { recursive: true });
    }
  },
  FIRST_START_MS,
);
