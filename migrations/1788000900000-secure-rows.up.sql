-- Row level security: a transaction sees and writes rows of the scope that it names in `engram.tenant_id` and
-- `engram.scope`, and without them none, whoever owns the tables. Optional: only with the option `rowLevelSecurity`. The
-- roles have to exist; `role` may be empty: then whoever serves the app is granted its rights apart. By hand:
--   psql -v schema=engram -v extension_schema=public -v sweeper=engram_sweeper -v role= -1 -f <this file>
SELECT set_config('engram.schema', :'schema', true), set_config('engram.extension_schema', :'extension_schema', true),
       set_config('engram.sweeper', :'sweeper', true), set_config('engram.role', :'role', true);

DO $secure$
DECLARE
  schema constant text := current_setting('engram.schema');
  role constant text := current_setting('engram.role');
  tables constant text[] := '{memory_scopes,memories,memory_revisions,memory_access,memory_turns}';
  own constant text := 'tenant_id = (SELECT current_setting(''engram.tenant_id'', true)) '
                       'AND scope = (SELECT current_setting(''engram.scope'', true))';
  tab regclass;
  leaf regclass;
BEGIN
  FOR tab IN SELECT format('%I.%I', schema, t)::regclass FROM unnest(tables) AS t LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', tab);
    EXECUTE format('CREATE POLICY own_scope ON %s USING (%s) WITH CHECK (%s)', tab, own, own);
    -- What is asked of a partitioned table keeps to that table's policies. A leaf that is asked by its own name would
    -- keep to its own: with none, it shows nothing.
    FOR leaf IN SELECT relid FROM pg_partition_tree(tab) WHERE relid <> tab LOOP
      EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', leaf);
    END LOOP;
    IF role <> '' THEN
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', tab, role);
    END IF;
  END LOOP;

  IF role <> '' THEN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', schema, role);
    IF NOT has_schema_privilege(role, current_setting('engram.extension_schema'), 'USAGE') THEN
      EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_setting('engram.extension_schema'), role);
    END IF;
  END IF;
END
$secure$;

-- The sweeper looks over all scopes for what is due. It reads keys and times, changes where an open turn stands, and
-- never reaches a text, a vector or a hash.
DO $sweeper$
DECLARE
  schema constant text := current_setting('engram.schema');
  sweeper constant text := current_setting('engram.sweeper');
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', schema, sweeper);
  EXECUTE format('GRANT SELECT (tenant_id, scope, turn_id, seq, status, lease_until, run_after, not_before, finished_at), '
                 'UPDATE (status, claim, batch_no, lease_until, run_after) ON %I.memory_turns TO %I', schema, sweeper);
  EXECUTE format('GRANT SELECT (tenant_id, scope, expires_at) ON %I.memories TO %I', schema, sweeper);
  EXECUTE format('GRANT SELECT (tenant_id, scope, valid_to) ON %I.memory_revisions TO %I', schema, sweeper);
  EXECUTE format('CREATE POLICY sweep_read ON %I.memory_turns FOR SELECT TO %I USING (true)', schema, sweeper);
  EXECUTE format('CREATE POLICY sweep_write ON %I.memory_turns FOR UPDATE TO %I '
                 'USING (status IN (''pending'', ''running'', ''failed'')) WITH CHECK (status = ''pending'')', schema, sweeper);
  EXECUTE format('CREATE POLICY sweep_read ON %I.memories FOR SELECT TO %I USING (expires_at IS NOT NULL)', schema, sweeper);
  EXECUTE format('CREATE POLICY sweep_read ON %I.memory_revisions FOR SELECT TO %I USING (true)', schema, sweeper);
END
$sweeper$;
