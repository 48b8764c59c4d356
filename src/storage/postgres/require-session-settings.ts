import type { DataSource } from 'typeorm';
import { StorageError } from '../../errors/storage-error.js';
import { storageFailure } from './driver-error.js';
import { quoteIdentifier } from './sql-names.js';
import { readSessionSettings } from './statements/read-session-settings.js';
import type { SessionSettings } from './statements/read-session-settings.js';

/** What a role or a database may have set, beside which statements fail or the driver reads dates as none. */
const REQUIRED = [
  { name: 'DateStyle', is: (value: string) => value.startsWith('ISO'), value: 'ISO' },
  { name: 'array_nulls', is: (value: string) => value === 'on', value: 'on' },
] as const;

/** @throws StorageError with the statement for the administrator */
export async function requireSessionSettings(dataSource: DataSource): Promise<void> {
  let session: SessionSettings;
  try {
    session = await readSessionSettings(
      dataSource,
      REQUIRED.map(({ name }) => name),
    );
  } catch (error) {
    throw storageFailure(error);
  }
  const { role, settings } = session;
  for (const { name, is, value } of REQUIRED) {
    const present = settings[name] ?? '';
    if (is(present)) continue;
    throw new StorageError(
      `The setting ${name} of the connection is "${present}", with which memories cannot be stored and read right. Change it where it is set, or for the role: ALTER ROLE ${quoteIdentifier(role)} SET ${name} = '${value}';`,
    );
  }
}
