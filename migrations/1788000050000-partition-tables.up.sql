-- Lays every table out in hash partitions by (tenant_id, scope). Optional: only with the option `partitions`. By hand:
--   psql -v schema=engram -v partitions=16 -1 -f <this file>
-- On tables that hold rows it copies them all under an exclusive lock, so plan a pause for it.
--
-- The procedure stays, so that the number can be changed later; 0 makes whole tables again. It reads what a table is like
-- from the catalog and not from this file, because migrations that came after this one may have run before it.
CREATE PROCEDURE :"schema".lay_out_tables(parts integer)
LANGUAGE plpgsql
SET search_path = :"schema", pg_temp
AS $procedure$
DECLARE
  tables constant text[] := '{memory_scopes,memories,memory_revisions,memory_access,memory_turns}';
  home constant text := current_schema();
  definitions text[];
  -- Made again last of all: they need the unique keys of their targets.
  foreign_keys text[];
  settings text;
  copied text;
  item record;
  tab text;
BEGIN
  IF EXISTS (SELECT FROM pg_class
             WHERE relnamespace = quote_ident(home)::regnamespace AND relname = ANY (tables) AND relrowsecurity) THEN
    -- Its policies would be lost with the tables that are replaced.
    RAISE EXCEPTION 'Row level security is on. Disable it, lay the tables out, then set it up again.'
      USING ERRCODE = 'EG001';
  END IF;

  SELECT coalesce(array_agg(format('ALTER TABLE %I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
                            ORDER BY k.oid), '{}')
  INTO foreign_keys
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE c.relnamespace = quote_ident(home)::regnamespace AND c.relname = ANY (tables) AND k.contype = 'f' AND k.conparentid = 0;

  FOR item IN
    SELECT c.relname, k.conname
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.relnamespace = quote_ident(home)::regnamespace AND c.relname = ANY (tables) AND k.contype = 'f' AND k.conparentid = 0
  LOOP
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', item.relname, item.conname);
  END LOOP;

  FOREACH tab IN ARRAY tables LOOP
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', tab);
    -- Without indexes of one scope alone (`memories_near_...`, `memories_words_...`): their own command makes them, on
    -- the one leaf that has the scope.
    SELECT array_agg(made.definition ORDER BY made.oid)
    INTO definitions
    FROM (
      SELECT k.oid, format('ALTER TABLE %I ADD CONSTRAINT %I %s', tab, k.conname, pg_get_constraintdef(k.oid)) AS definition
      FROM pg_constraint k
      WHERE k.conrelid = tab::regclass AND k.contype IN ('p', 'u')
      UNION ALL
      SELECT i.indexrelid, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = tab::regclass AND c.relname !~ '^memories_(near|words)_'
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid)
      UNION ALL
      SELECT a.attrelid, format('ALTER TABLE %I ALTER %I SET STATISTICS %s', tab, a.attname, a.attstattarget)
      FROM pg_attribute a
      WHERE a.attrelid = tab::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attstattarget >= 0
      UNION ALL
      SELECT c.oid, format('GRANT %s ON %I TO %s %s', g.privilege_type, tab,
                           CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE g.grantee::regrole::text END,
                           CASE WHEN g.is_grantable THEN 'WITH GRANT OPTION' END)
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS g
      WHERE c.oid = tab::regclass AND g.grantee <> c.relowner
    ) AS made;
    -- A partitioned table has no storage parameters, its leaves have.
    SELECT ' WITH (' || array_to_string(reloptions, ', ') || ')'
    INTO settings
    FROM pg_class
    WHERE oid IN (tab::regclass, to_regclass(quote_ident(tab || '_p0'))) AND reloptions IS NOT NULL;

    EXECUTE format('ALTER TABLE %I RENAME TO %I', tab, tab || '_before');
    FOR item IN SELECT inhrelid::regclass AS leaf, relname FROM pg_inherits JOIN pg_class ON oid = inhrelid
                WHERE inhparent = to_regclass(quote_ident(tab || '_before')) LOOP
      EXECUTE format('ALTER TABLE %s RENAME TO %I', item.leaf, item.relname || '_before');
    END LOOP;

    IF parts = 0 THEN
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES)%s', tab, tab || '_before', settings);
    ELSE
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY HASH (tenant_id, scope)',
                     tab, tab || '_before');
      FOR part IN 0 .. parts - 1 LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)%s',
                       tab || '_p' || part, tab, parts, part, settings);
      END LOOP;
    END IF;

    -- Without the columns that Postgres computes, if a later migration has made any.
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
    INTO copied
    FROM pg_attribute
    WHERE attrelid = tab::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
    EXECUTE format('INSERT INTO %I (%s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM %I', tab, copied, tab || '_before');
    IF tab = 'memory_turns' THEN
      PERFORM setval(pg_get_serial_sequence(tab, 'seq'), (SELECT coalesce(max(seq), 0) + 1 FROM memory_turns), false);
    END IF;
    EXECUTE format('DROP TABLE %I', tab || '_before');
    FOR item IN SELECT unnest(definitions) AS definition LOOP
      EXECUTE item.definition;
    END LOOP;
  END LOOP;

  FOR item IN SELECT unnest(foreign_keys) AS definition LOOP
    EXECUTE item.definition;
  END LOOP;
END
$procedure$;

CALL :"schema".lay_out_tables(:partitions);
