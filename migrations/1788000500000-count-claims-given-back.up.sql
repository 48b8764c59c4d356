-- Claims that their worker ended itself, by a failure or at its shutdown. Those of `attempt` that are missing here crashed
-- it: a turn that only waits for a provider must not die as one that kills its workers.
ALTER TABLE :"schema".memory_turns ADD COLUMN given_back integer NOT NULL DEFAULT 0;
