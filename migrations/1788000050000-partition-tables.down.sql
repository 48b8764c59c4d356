-- Whole tables again, with all their rows.
CALL :"schema".lay_out_tables(0);
DROP PROCEDURE :"schema".lay_out_tables;
