import type { PortDefinition } from '../../port-definition.js';
import type { MemoryStore } from '../memory-store.js';
import { createPostgresDataSource } from '../postgres/data-source.js';
import { PostgresMemoryStore } from '../postgres/postgres-memory-store.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import type { EmbeddedPostgresOptions } from './embedded-postgres.js';

/** The Postgres store on a database of its own, which it opens and closes with itself. */
class EmbeddedMemoryStore extends PostgresMemoryStore {
  constructor(
    private readonly database: EmbeddedPostgres,
    language: string | undefined,
    rowLevelSecurity: boolean,
  ) {
    super(createPostgresDataSource({ connection: database.connection }), {
      adapter: 'embedded',
      migrate: true,
      ownsDataSource: true,
      ...(language === undefined ? {} : { language }),
      ...(rowLevelSecurity && { rowLevelSecurity: { role: 'engram_app' } }),
    });
  }

  override async start(options?: Parameters<PostgresMemoryStore['start']>[0]): Promise<void> {
    try {
      await super.start(options);
    } catch (error) {
      // Else the folder would stay locked by an app that never came up.
      await this.database.stop();
      throw error;
    }
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.database.stop();
  }
}

export interface EmbeddedStorageOptions extends EmbeddedPostgresOptions {
  /** Text search configuration that words are stemmed with. @default 'english' */
  readonly language?: string;
  /**
   * Policies on every table, that show a transaction only the scope that it names, and statements as a role of their own
   * (`engram_app`): whoever connects to the embedded database is its superuser, for whom no policy counts. @default false
   */
  readonly rowLevelSecurity?: boolean;
}

/** Keeps memories in a Postgres with pgvector inside this process: nothing to install, one process a data folder. */
export function embeddedPostgres({
  language,
  rowLevelSecurity = false,
  ...options
}: EmbeddedStorageOptions): PortDefinition<MemoryStore> {
  return {
    adapter: 'embedded',
    create: async () => new EmbeddedMemoryStore(await EmbeddedPostgres.start(options), language, rowLevelSecurity),
  };
}
