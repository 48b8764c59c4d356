-- A vector stays in its row as long as the row fits a page, and is moved out of line only then: vectors of more than
-- some 3,900 dimensions can be stored. Up to the target of 4,080 bytes a row (1,536 dimensions) nothing differs from PLAIN;
-- between, compression is tried and gives up within the first kilobyte, since halves of floats do not compress.
ALTER TABLE :"schema".memories ALTER embedding SET STORAGE MAIN;
