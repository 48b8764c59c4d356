export { EmbeddedPostgres } from './embedded-postgres.js';
export type { EmbeddedConnection, EmbeddedPostgresOptions } from './embedded-postgres.js';
