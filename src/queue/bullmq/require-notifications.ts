import { randomUUID } from 'node:crypto';
import type { PostgresConnection } from 'bullmq';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { DeadlineError, withDeadline } from '../../memory/with-deadline.js';

/** A server on the other side of the world takes a thirtieth of that; a busy one is not taken for one that delivers nothing. */
const ARRIVES_WITHIN_MS = 10_000;

/**
 * Sends a notification from one connection to another, as BullMQ does to wake its workers.
 * @throws InvalidOptionsError when it does not arrive
 */
export async function requireNotifications(connection: PostgresConnection): Promise<void> {
  const channel = `engram_${randomUUID().replaceAll('-', '')}`;
  const listener = await connection.getListenClient();
  const arrived = new Promise<void>((resolve) => listener.on('notification', () => resolve()));
  await listener.query(`LISTEN ${channel}`);
  await connection.pool.query('SELECT pg_notify($1, $2)', [channel, '']);
  try {
    await withDeadline(ARRIVES_WITHIN_MS, () => arrived);
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    throw new InvalidOptionsError(
      'queue',
      'bullMqPostgres() needs a server that delivers notifications from one connection to another. The embedded database does not, nor does a pooler in transaction mode. Give the address of a Postgres itself, or use inProcessQueue().',
    );
  }
}
