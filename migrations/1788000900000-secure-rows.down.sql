-- The roles stay, with what they were granted elsewhere: they belong to the whole server.
SELECT set_config('engram.schema', :'schema', true);

DO $release$
DECLARE
  schema constant text := current_setting('engram.schema');
  tables constant text[] := '{memory_scopes,memories,memory_revisions,memory_access,memory_turns}';
  tab regclass;
  leaf regclass;
  policy record;
  grantee record;
BEGIN
  FOR tab IN SELECT format('%I.%I', schema, t)::regclass FROM unnest(tables) AS t LOOP
    -- The sweeper under whatever name: the roles that a policy was made for.
    FOR grantee IN SELECT DISTINCT r.rolname FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles)
                   WHERE p.polrelid = tab LOOP
      EXECUTE format('REVOKE ALL ON %s FROM %I', tab, grantee.rolname);
    END LOOP;
    FOR policy IN SELECT polname FROM pg_policy WHERE polrelid = tab AND polname IN ('own_scope', 'sweep_read', 'sweep_write') LOOP
      EXECUTE format('DROP POLICY %I ON %s', policy.polname, tab);
    END LOOP;
    EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY', tab);
    FOR leaf IN SELECT relid FROM pg_partition_tree(tab) WHERE relid <> tab LOOP
      EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY', leaf);
    END LOOP;
  END LOOP;
END
$release$;
