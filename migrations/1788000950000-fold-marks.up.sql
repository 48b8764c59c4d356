-- Words are searched without accents from now on: those of stored texts are added without them. The accented ones stay,
-- for processes of the release before that still run. Reads go on meanwhile; writes wait. Positions are read by nothing.
LOCK TABLE :"schema".memories, :"schema".memory_revisions IN SHARE ROW EXCLUSIVE MODE;

-- As src/model/mark-folding.ts folds. In ASCII, so that it is read by a database of any encoding.
CREATE FUNCTION :"schema".folded_marks(word text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $function$
  SELECT regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
         regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
           normalize(regexp_replace(normalize(lower(word), NFKD),
             '[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u0652\u0656-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]'
             '|(?<![\u0400-\u052F])[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]'
             '|(?<=[\u0430\u0435\u0438\u043E\u0443\u044B\u044D\u044E\u044F\u0456\u0454])[\u0300\u0301]'
             '|(?<=\u0435)\u0308|(?<=\u0627)[\u0653-\u0655]', '', 'g'), NFC),
           '\u00F8', 'o', 'g'), '\u0142', 'l', 'g'), '[\u0111\u00F0]', 'd', 'g'), '\u0127', 'h', 'g'), '\u0167', 't', 'g'),
           '\u0131', 'i', 'g'), '\u00E6', 'ae', 'g'), '\u0153', 'oe', 'g'), '\u00FE', 'th', 'g'), '\u00DF', 'ss', 'g')
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

-- The words of a text with those that are others without accents, stemmed already or to be stemmed.
CREATE FUNCTION :"schema".with_folded_marks(search tsvector, content text) RETURNS tsvector
LANGUAGE sql STABLE SET search_path = :"schema", pg_temp AS $function$
  SELECT search
    || array_to_tsvector((SELECT coalesce(array_agg(DISTINCT f.lexeme), '{}')
                          FROM unnest(search) AS l CROSS JOIN LATERAL folded_marks(l.lexeme) AS f (lexeme)
                          WHERE f.lexeme NOT IN (l.lexeme, '')))
    || to_tsvector(current_setting('engram.language')::regconfig,
                   (SELECT coalesce(string_agg(f.lexeme, ' '), '')
                    FROM unnest(to_tsvector('simple', content)) AS w CROSS JOIN LATERAL folded_marks(w.lexeme) AS f (lexeme)
                    WHERE f.lexeme <> w.lexeme))
$function$;

UPDATE :"schema".memories AS m
SET search = f.search
FROM (
  SELECT tenant_id, scope, id, :"schema".with_folded_marks(search, content) AS search FROM :"schema".memories
  WHERE getdatabaseencoding() = 'UTF8' AND content ~ '[^\x01-\x7F]'
) AS f
WHERE m.tenant_id = f.tenant_id AND m.scope = f.scope AND m.id = f.id AND m.search <> f.search;

UPDATE :"schema".memory_revisions AS r
SET search = f.search
FROM (
  SELECT tenant_id, scope, memory_id, version, :"schema".with_folded_marks(search, content) AS search FROM :"schema".memory_revisions
  WHERE getdatabaseencoding() = 'UTF8' AND content ~ '[^\x01-\x7F]'
) AS f
WHERE r.tenant_id = f.tenant_id AND r.scope = f.scope AND r.memory_id = f.memory_id AND r.version = f.version
  AND r.search <> f.search;

DROP FUNCTION :"schema".with_folded_marks(tsvector, text);
DROP FUNCTION :"schema".folded_marks(text);
