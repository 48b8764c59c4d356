-- What was said before a turn, so that its messages are understood: kept as long as these, and in no sample of ANALYZE.
ALTER TABLE :"schema".memory_turns
  ADD COLUMN context jsonb,
  ADD CHECK (context IS NULL OR messages IS NOT NULL);
ALTER TABLE :"schema".memory_turns ALTER context SET STATISTICS 0;
