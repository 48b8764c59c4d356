ALTER TABLE :"schema".memory_turns DROP COLUMN barred;
