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
  ) {
    super(createPostgresDataSource({ connection: database.connection }), {
      adapter: 'embedded',
      migrate: true,
      ownsDataSource: true,
      ...(language === undefined ? {} : { language }),
    });
  }

  override async start(): Promise<void> {
    try {
      await super.start();
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
}

/** Keeps memories in a Postgres with pgvector inside this process: nothing to install, one process a data folder. */
export function embeddedPostgres({ language, ...options }: EmbeddedStorageOptions): PortDefinition<MemoryStore> {
  return {
    adapter: 'embedded',
    create: async () => new EmbeddedMemoryStore(await EmbeddedPostgres.start(options), language),
  };
}
