// The DataSource of a host with tables of its own, as TypeORM's command line takes it: it connects where
// `HOST_CONNECTION` says (JSON), with its tables in `HOST_SCHEMA`, and registers our entities where `HOST_ENTITIES` is `ours too`.
import { DataSource, EntitySchema } from 'typeorm';
import { engramEntities } from '../../src/storage/postgres/entities.js';

const { HOST_CONNECTION = '{}', HOST_ENTITIES, HOST_SCHEMA = 'public' } = process.env;

interface Customer {
  readonly id: string;
  readonly email: string;
  readonly joinedAt: Date;
  readonly notes: readonly Note[];
}

interface Note {
  readonly id: number;
  readonly text: string;
  readonly customer: Customer;
}

export const hostEntities = (schema: string): EntitySchema[] => [
  new EntitySchema<Customer>({
    name: 'Customer',
    tableName: 'customers',
    schema,
    columns: {
      id: { type: 'uuid', primary: true },
      email: { type: 'text', unique: true },
      joinedAt: { name: 'joined_at', type: 'timestamp with time zone', precision: 3 },
    },
    relations: { notes: { type: 'one-to-many', target: 'Note', inverseSide: 'customer' } },
  }),
  new EntitySchema<Note>({
    name: 'Note',
    tableName: 'notes',
    schema,
    columns: { id: { type: 'int', primary: true, generated: true }, text: { type: 'text' } },
    relations: { customer: { type: 'many-to-one', target: 'Customer', inverseSide: 'notes', onDelete: 'CASCADE' } },
    indices: [{ columns: ['text'] }],
  }),
];

export const hostDataSource = new DataSource({
  type: 'postgres',
  ...(JSON.parse(HOST_CONNECTION) as { url: string }),
  schema: HOST_SCHEMA,
  entities: [...hostEntities(HOST_SCHEMA), ...(HOST_ENTITIES === 'ours too' ? engramEntities() : [])],
  migrations: [],
});
