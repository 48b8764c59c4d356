ALTER TABLE :"schema".memories
  ALTER content SET STATISTICS -1,
  ALTER content_hash SET STATISTICS -1,
  ALTER metadata SET STATISTICS -1,
  ALTER search SET STATISTICS -1,
  ALTER embedding SET STATISTICS -1;
ALTER TABLE :"schema".memory_revisions
  ALTER content SET STATISTICS -1,
  ALTER metadata SET STATISTICS -1,
  ALTER search SET STATISTICS -1,
  ALTER embedding SET STATISTICS -1;
ALTER TABLE :"schema".memory_turns
  ALTER messages SET STATISTICS -1,
  ALTER messages_hash SET STATISTICS -1;
