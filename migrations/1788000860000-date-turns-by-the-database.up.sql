-- When a turn was said, by this database's clock: it stands among changes and forgettings, which that clock dates. Null for a
-- turn of before: its own time, or when it was handed in.
ALTER TABLE :"schema".memory_turns ADD COLUMN said_at timestamptz(3);
