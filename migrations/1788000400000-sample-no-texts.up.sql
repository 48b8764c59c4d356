-- ANALYZE copies sample values of each column into pg_statistic, where they outlive their rows until its next run: an
-- erased text would stay readable there. Nothing here is planned by these columns' statistics; scopes are found by keys.
ALTER TABLE :"schema".memories
  ALTER content SET STATISTICS 0,
  ALTER content_hash SET STATISTICS 0,
  ALTER metadata SET STATISTICS 0,
  ALTER search SET STATISTICS 0,
  ALTER embedding SET STATISTICS 0;
ALTER TABLE :"schema".memory_revisions
  ALTER content SET STATISTICS 0,
  ALTER metadata SET STATISTICS 0,
  ALTER search SET STATISTICS 0,
  ALTER embedding SET STATISTICS 0;
ALTER TABLE :"schema".memory_turns
  ALTER messages SET STATISTICS 0,
  ALTER messages_hash SET STATISTICS 0;
