import type { RecallQuery } from '../../memory-store.js';

/**
 * What a query asks of kind and metadata, as conditions on `m`; the values are added to the parameters. What is not asked
 * for is left out: a condition that is always true is looked at for each row all the same, which was 5% of a recall.
 */
export function wantedRows({ kinds, metadata }: RecallQuery, parameters: unknown[]): string {
  const conditions: string[] = [];
  if (kinds && kinds.length > 0) conditions.push(`AND m.kind = ANY($${parameters.push(kinds)}::text[])`);
  if (metadata && Object.keys(metadata).length > 0) {
    conditions.push(`AND m.metadata @> $${parameters.push(JSON.stringify(metadata))}::jsonb`);
  }
  return conditions.join(' ');
}
