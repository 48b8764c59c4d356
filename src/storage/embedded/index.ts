export { EmbeddedPostgres } from './embedded-postgres.js';
export type { EmbeddedConnection, EmbeddedPostgresOptions } from './embedded-postgres.js';
export { embeddedPostgres } from './embedded-storage.js';
export type { EmbeddedStorageOptions } from './embedded-storage.js';
