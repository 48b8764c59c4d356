-- Vectors that were moved out of line stay where they are, and are still read.
ALTER TABLE :"schema".memories ALTER embedding SET STORAGE PLAIN;
