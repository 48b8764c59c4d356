ALTER TABLE :"schema".memory_turns DROP COLUMN given_back;
