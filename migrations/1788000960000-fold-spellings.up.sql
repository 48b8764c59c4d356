-- A word of several spellings is searched in one of them from now on: those of stored texts are added. The spelling that
-- stood there stays, for processes of the release before that still run. Reads go on meanwhile; writes wait.
LOCK TABLE :"schema".memories, :"schema".memory_revisions IN SHARE ROW EXCLUSIVE MODE;

-- As src/model/word-spelling.ts spells, and for Korean what more could be a noun: too many words find a text, too few do
-- not. In ASCII, and read when it is called, so that it harms no database of another encoding.
CREATE FUNCTION :"schema".spellings(word text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE STRICT AS $function$
BEGIN
  RETURN QUERY
  WITH RECURSIVE stems (stem) AS (
    SELECT regexp_replace(
             translate(regexp_replace(word, '[\u200C\u200D]', '', 'g'),
                       chr(1577) || chr(1609) || chr(1740) || chr(1705), chr(1607) || chr(1610) || chr(1610) || chr(1603)),
             '\u0919\u094D(?=[\u0915-\u0918])|\u091E\u094D(?=[\u091A-\u091D])|\u0923\u094D(?=[\u091F-\u0922])'
             '|\u0928\u094D(?=[\u0924-\u0927])|\u092E\u094D(?=[\u092A-\u092D])|\u0901', chr(2306), 'g')
    UNION
    SELECT regexp_replace(s.stem, p.particle || '$', '')
    FROM stems s
    CROSS JOIN regexp_split_to_table(
                '\uC5D0\uAC8C\uC11C \uD55C\uD14C\uC11C \uC785\uB2C8\uB2E4 \uC774\uC5D0\uC694 \uC5D0\uC11C \uC5D0\uAC8C '
                '\uD55C\uD14C \uAED8\uC11C \uAE4C\uC9C0 \uBD80\uD130 \uBCF4\uB2E4 \uCC98\uB7FC \uB9C8\uB2E4 \uC870\uCC28 '
                '\uB9C8\uC800 \uBC16\uC5D0 \uD558\uACE0 \uC774\uB791 \uC774\uB098 \uC73C\uB85C \uC608\uC694 \uB4E4 \uC5D0 '
                '\uC740 \uC744 \uB294 \uB97C \uB791 \uC758 \uB3C4 \uB9CC \uAED8 \uC774 \uACFC \uAC00 \uC640 \uB098 \uB85C', ' ') AS p (particle)
    WHERE s.stem ~ ('^[\uAC00-\uD7A3]+' || p.particle || '$')
  )
  SELECT s.stem FROM stems s;
END
$function$;

-- What the words were stemmed with is an option of the app: the configuration that makes most texts what they are here.
SELECT set_config('engram.language', coalesce((
  SELECT c.oid::regconfig::text
  FROM pg_catalog.pg_ts_config c
  CROSS JOIN LATERAL (
    SELECT count(*) AS alike
    FROM (SELECT m.content, m.search FROM :"schema".memories m WHERE m.content ~ '[^\x01-\x7F]' LIMIT 200) AS s
    WHERE strip(s.search) = strip(to_tsvector(c.oid::regconfig, s.content))
  ) AS texts
  WHERE c.cfgnamespace = 'pg_catalog'::regnamespace
  ORDER BY texts.alike DESC, c.cfgname = 'english' DESC
  LIMIT 1), 'english'), true);

-- The words of a text with those that are spelled otherwise, to be stemmed.
CREATE FUNCTION :"schema".with_spellings(search tsvector) RETURNS tsvector
LANGUAGE sql STABLE SET search_path = :"schema", pg_temp AS $function$
  SELECT search
    || array_to_tsvector((SELECT coalesce(array_agg(DISTINCT s.lexeme), '{}')
                          FROM unnest(search) AS l CROSS JOIN LATERAL spellings(l.lexeme) AS s (lexeme)
                          WHERE s.lexeme NOT IN (l.lexeme, '')))
    || to_tsvector(current_setting('engram.language')::regconfig,
                   (SELECT coalesce(string_agg(s.lexeme, ' '), '')
                    FROM unnest(search) AS l CROSS JOIN LATERAL spellings(l.lexeme) AS s (lexeme)
                    WHERE s.lexeme <> l.lexeme))
$function$;

UPDATE :"schema".memories AS r
SET search = f.search
FROM (
  SELECT tenant_id, scope, id, :"schema".with_spellings(search) AS search FROM :"schema".memories
  WHERE getdatabaseencoding() = 'UTF8' AND content ~ '[^\x01-\x7F]'
) AS f
WHERE r.tenant_id = f.tenant_id AND r.scope = f.scope AND r.id = f.id AND r.search <> f.search;

UPDATE :"schema".memory_revisions AS r
SET search = f.search
FROM (
  SELECT tenant_id, scope, memory_id, version, :"schema".with_spellings(search) AS search FROM :"schema".memory_revisions
  WHERE getdatabaseencoding() = 'UTF8' AND content ~ '[^\x01-\x7F]'
) AS f
WHERE r.tenant_id = f.tenant_id AND r.scope = f.scope AND r.memory_id = f.memory_id AND r.version = f.version AND r.search <> f.search;

DROP FUNCTION :"schema".with_spellings(tsvector);
DROP FUNCTION :"schema".spellings(text);
