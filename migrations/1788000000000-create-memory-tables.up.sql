-- The tables of nestjs-engram. By hand:
--   psql -v schema=engram -v extension_schema=public -c 'CREATE SCHEMA IF NOT EXISTS engram' -1 -f <this file>
-- `extension_schema` is where pgvector is, or shall be. Every key starts with (tenant_id, scope), so that the tables can
-- be partitioned or distributed by them.
CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA :"extension_schema";

CREATE DOMAIN :"schema".tenant_key AS text COLLATE "C" CHECK (char_length(VALUE) BETWEEN 1 AND 128);
CREATE DOMAIN :"schema".scope_key AS text COLLATE "C" CHECK (char_length(VALUE) BETWEEN 1 AND 256);

CREATE TABLE :"schema".memory_scopes (
  tenant_id :"schema".tenant_key,
  scope :"schema".scope_key,
  enabled boolean NOT NULL DEFAULT true,
  generation uuid NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  clock timestamptz(3) NOT NULL DEFAULT '-infinity',
  erased_at timestamptz(3),
  docs integer NOT NULL DEFAULT 0,
  terms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, scope)
) WITH (fillfactor = 50);

-- The vector stands last: it is 3 KB of the row, and a recall would wait for the memory behind it in each row that it
-- compares (5% of its time). What recall reads comes before it.
CREATE TABLE :"schema".memories (
  tenant_id :"schema".tenant_key,
  scope :"schema".scope_key,
  id uuid,
  content_hash uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  valid_from timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  evidence_at timestamptz(3) NOT NULL,
  importance real NOT NULL CHECK (importance BETWEEN 0 AND 1),
  version integer NOT NULL CHECK (version > 0),
  terms smallint NOT NULL,
  message_no smallint,
  kind text NOT NULL CHECK (kind IN ('fact', 'preference', 'goal', 'instruction', 'episodic')),
  source text NOT NULL CHECK (source IN ('manual', 'observed', 'imported')),
  space text,
  turn_id text,
  content text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
  search tsvector NOT NULL,
  embedding :"extension_schema".halfvec,
  PRIMARY KEY (tenant_id, scope, id),
  UNIQUE (tenant_id, scope, content_hash),
  FOREIGN KEY (tenant_id, scope) REFERENCES :"schema".memory_scopes,
  CHECK ((embedding IS NULL) = (space IS NULL)),
  CHECK (:"extension_schema".vector_dims(embedding) = substring(space from '[0-9]+$')::int
         AND :"extension_schema".l2_norm(embedding) > 0)
);
-- Inline vectors: a recall compares every vector of a scope, and reading them out of line costs several times as much.
ALTER TABLE :"schema".memories ALTER embedding SET STORAGE PLAIN;
-- A long text moves out of line instead of the vector.
ALTER TABLE :"schema".memories SET (toast_tuple_target = 4080);

CREATE TABLE :"schema".memory_revisions (
  tenant_id :"schema".tenant_key,
  scope :"schema".scope_key,
  memory_id uuid,
  version integer,
  content text NOT NULL,
  kind text NOT NULL,
  importance real NOT NULL,
  metadata jsonb NOT NULL,
  expires_at timestamptz(3),
  embedding :"extension_schema".halfvec,
  space text,
  valid_from timestamptz(3) NOT NULL,
  valid_to timestamptz(3) NOT NULL CHECK (valid_to > valid_from),
  ended_by text NOT NULL CHECK (ended_by IN ('update', 'forget', 'expire', 'merge', 'restore')),
  ended_by_turn text,
  merged_into uuid,
  PRIMARY KEY (tenant_id, scope, memory_id, version),
  FOREIGN KEY (tenant_id, scope) REFERENCES :"schema".memory_scopes
);
CREATE INDEX memory_revisions_span ON :"schema".memory_revisions (tenant_id, scope, valid_to, valid_from);

-- Apart from memories, so that counting a recall never rewrites a row that carries a vector.
CREATE TABLE :"schema".memory_access (
  tenant_id :"schema".tenant_key,
  scope :"schema".scope_key,
  memory_id uuid,
  last_accessed_at timestamptz(3) NOT NULL,
  access_count bigint NOT NULL,
  PRIMARY KEY (tenant_id, scope, memory_id),
  FOREIGN KEY (tenant_id, scope, memory_id) REFERENCES :"schema".memories ON DELETE CASCADE
) WITH (fillfactor = 70);

CREATE TABLE :"schema".memory_turns (
  tenant_id :"schema".tenant_key,
  scope :"schema".scope_key,
  turn_id text COLLATE "C" CHECK (char_length(turn_id) BETWEEN 1 AND 256),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  generation uuid NOT NULL,
  messages jsonb,
  messages_hash bytea NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  time_zone text,
  status text NOT NULL
    CHECK (status IN ('pending', 'running', 'applied', 'nothing', 'rejected', 'disabled', 'failed', 'dead')),
  claim uuid,
  batch_no smallint,
  lease_until timestamptz,
  attempt integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  run_after timestamptz NOT NULL,
  decisions jsonb,
  error_code text,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (tenant_id, scope, turn_id),
  FOREIGN KEY (tenant_id, scope) REFERENCES :"schema".memory_scopes,
  CHECK ((status = 'running') = (claim IS NOT NULL AND batch_no IS NOT NULL AND lease_until IS NOT NULL)),
  CHECK (CASE WHEN status IN ('pending', 'running', 'failed') THEN messages IS NOT NULL
              WHEN status = 'dead' THEN true
              ELSE messages IS NULL END)
);
CREATE UNIQUE INDEX one_runner_per_scope ON :"schema".memory_turns (tenant_id, scope)
  WHERE status = 'running' AND batch_no = 0;
CREATE INDEX open_turns ON :"schema".memory_turns (tenant_id, scope, seq)
  WHERE status IN ('pending', 'running', 'failed');
CREATE INDEX due_turns ON :"schema".memory_turns (coalesce(lease_until, run_after))
  WHERE status IN ('pending', 'running', 'failed');
