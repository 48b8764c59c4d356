-- A turn that may wait for more of its conversation is not worked on before this moment; null: at once.
ALTER TABLE :"schema".memory_turns ADD COLUMN not_before timestamptz;
-- Turns that ended, for those that drop them once they are old.
CREATE INDEX ended_turns ON :"schema".memory_turns (finished_at) WHERE status NOT IN ('pending', 'running', 'failed');
