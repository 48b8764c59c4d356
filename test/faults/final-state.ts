import { createHash } from 'node:crypto';
import type { Client } from 'pg';

/** What the tables of a database say, scope by scope, without ids and times of their own: two runs can be compared. */
export interface FinalState {
  /** Each memory's life: its earlier states in order, then the present one. */
  readonly memories: Readonly<Record<string, readonly string[]>>;
  readonly turns: Readonly<Record<string, readonly string[]>>;
  readonly scopes: Readonly<Record<string, string>>;
  readonly accesses: number;
}

interface StateRow {
  readonly owner: string;
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly merged_into: string | null;
}

interface TurnRow {
  readonly owner: string;
  readonly state: string;
  readonly decisions: readonly { action: string; memoryId: string | null }[] | null;
}

export async function finalState(client: Client): Promise<FinalState> {
  const { rows: states } = await client.query<StateRow>(
    `SELECT tenant_id || ' ' || scope AS owner, memory_id AS id, version, merged_into,
            concat_ws(' | ', version, content, kind, importance, metadata, expires_at, md5(embedding::text), space,
                      'ended by', ended_by, ended_by_turn) AS state
     FROM engram.memory_revisions
     UNION ALL
     SELECT tenant_id || ' ' || scope, id, version, NULL,
            concat_ws(' | ', version, content, content_hash, kind, importance, metadata, expires_at, md5(embedding::text),
                      space, search, terms, source, turn_id, message_no, to_char(evidence_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'))
     FROM engram.memories
     ORDER BY owner, id, version`,
  );
  const { rows: turns } = await client.query<TurnRow>(
    `SELECT tenant_id || ' ' || scope AS owner, decisions,
            concat_ws(' | ', turn_id, status, coalesce(error_code, 'no error'),
                      CASE WHEN status = 'dead' THEN 'dead' WHEN messages IS NULL THEN 'cleared' ELSE 'text left' END,
                      CASE WHEN claim IS NULL AND lease_until IS NULL AND batch_no IS NULL THEN 'free' ELSE 'claimed' END,
                      CASE WHEN finished_at IS NULL THEN 'open' ELSE 'finished' END) AS state
     FROM engram.memory_turns ORDER BY owner, seq`,
  );
  const { rows: scopes } = await client.query<{ owner: string; state: string }>(
    `SELECT tenant_id || ' ' || scope AS owner, concat_ws(' | ', enabled, revision, docs, terms, erased_at) AS state
     FROM engram.memory_scopes ORDER BY owner`,
  );
  const { rows: accesses } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM engram.memory_access',
  );

  const lives = livesOf(states);
  const nameOf = (id: string | null): string => (id === null ? 'none' : (lives.get(id)?.name ?? 'unknown memory'));
  return {
    memories: grouped(
      [...lives].map(([, { owner, texts, mergedInto }]) => ({
        owner,
        state: [...texts, ...(mergedInto === null ? [] : [`merged into ${nameOf(mergedInto)}`])].join('\n'),
      })),
      true,
    ),
    turns: grouped(
      turns.map(({ owner, state, decisions }) => ({
        owner,
        state: [state, ...(decisions ?? []).map(({ action, memoryId }) => `${action} ${nameOf(memoryId)}`)].join(' | '),
      })),
      false,
    ),
    scopes: Object.fromEntries(scopes.map(({ owner, state }) => [owner, state])),
    accesses: accesses[0]?.count ?? NaN,
  };
}

interface Life {
  readonly owner: string;
  readonly texts: string[];
  /** Stands for the id: a hash of the whole life. */
  name: string;
  mergedInto: string | null;
}

function livesOf(states: readonly StateRow[]): Map<string, Life> {
  const lives = new Map<string, Life>();
  for (const { owner, id, state, merged_into } of states) {
    const life = lives.get(id) ?? { owner, texts: [], name: '', mergedInto: null };
    life.texts.push(state);
    life.mergedInto = merged_into ?? life.mergedInto;
    lives.set(id, life);
  }
  for (const life of lives.values()) {
    life.name = createHash('sha256').update(life.texts.join('\n')).digest('hex').slice(0, 12);
  }
  return lives;
}

function grouped(
  entries: readonly { owner: string; state: string }[],
  sorted: boolean,
): Record<string, readonly string[]> {
  const groups: Record<string, string[]> = {};
  for (const { owner, state } of entries) (groups[owner] ??= []).push(state);
  if (sorted) for (const states of Object.values(groups)) states.sort();
  return groups;
}
