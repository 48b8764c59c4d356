ALTER TABLE :"schema".memory_turns DROP COLUMN said_at;
