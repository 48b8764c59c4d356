-- BREAKING: drops every memory, revision and turn. The schema and the extension stay; the host may use them too.
DROP TABLE :"schema".memory_turns;
DROP TABLE :"schema".memory_access;
DROP TABLE :"schema".memory_revisions;
DROP TABLE :"schema".memories;
DROP TABLE :"schema".memory_scopes;
DROP DOMAIN :"schema".scope_key;
DROP DOMAIN :"schema".tenant_key;
