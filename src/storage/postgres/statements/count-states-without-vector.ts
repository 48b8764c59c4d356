import type { Scope } from '../../../model/scope.js';
import type { Session } from '../session.js';
import { statesAt } from '../states-at.js';

/** States of a moment that have no vector of the space. */
export async function countStatesWithoutVector(
  session: Session,
  { tenantId, scope }: Scope,
  { space, asOf }: { space: string; asOf: Date },
): Promise<number> {
  const [row] = await session.rows<{ count: string }>(
    `SELECT count(*) AS count
     FROM ${statesAt(session.names, '$3')} AS s
     WHERE (s.expires_at IS NULL OR s.expires_at > $3::timestamptz) AND s.space IS DISTINCT FROM $4`,
    [tenantId, scope, asOf, space],
  );
  return Number(row?.count ?? 0);
}
