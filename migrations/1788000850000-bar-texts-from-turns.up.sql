-- Hashes of texts that were forgotten for good since the turn was said: it must not teach them again. Kept as long as its
-- messages, which may hold them.
ALTER TABLE :"schema".memory_turns
  ADD COLUMN barred uuid[],
  ADD CHECK (barred IS NULL OR messages IS NOT NULL);
ALTER TABLE :"schema".memory_turns ALTER barred SET STATISTICS 0;
