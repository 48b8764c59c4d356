DROP INDEX :"schema".memory_revisions_age;
DROP INDEX :"schema".memories_expiry;
ALTER TABLE :"schema".memory_revisions DROP search, DROP created_at, DROP source;
