-- What the past needs to be listed and searched like the present: words, and what else a memory shows.
ALTER TABLE :"schema".memory_revisions ADD source text, ADD created_at timestamptz(3), ADD search tsvector;
UPDATE :"schema".memory_revisions AS r
SET source = coalesce((SELECT m.source FROM :"schema".memories m
                       WHERE m.tenant_id = r.tenant_id AND m.scope = r.scope AND m.id = r.memory_id), 'manual'),
    created_at = (SELECT min(o.valid_from) FROM :"schema".memory_revisions o
                  WHERE o.tenant_id = r.tenant_id AND o.scope = r.scope AND o.memory_id = r.memory_id),
    search = to_tsvector('simple', r.content);
ALTER TABLE :"schema".memory_revisions
  ALTER source SET NOT NULL,
  ALTER created_at SET NOT NULL,
  ALTER search SET NOT NULL,
  ADD CONSTRAINT memory_revisions_source_check CHECK (source IN ('manual', 'observed', 'imported'));

-- For the sweep over all scopes: what has expired, and what is older than the retention.
CREATE INDEX memories_expiry ON :"schema".memories (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memory_revisions_age ON :"schema".memory_revisions (valid_to);
