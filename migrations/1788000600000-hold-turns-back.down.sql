DROP INDEX :"schema".ended_turns;
ALTER TABLE :"schema".memory_turns DROP COLUMN not_before;
