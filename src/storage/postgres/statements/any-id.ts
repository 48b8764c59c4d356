/**
 * Met by every id of `m`, and a condition that the primary key's index alone can use. Without it the planner reads a scope
 * by whichever index costs a hundredth less, which in a table of a million is a bitmap of that on the hash, and sorts. It
 * cannot see through a scalar subquery, so it takes a third of the rows to meet it (`DEFAULT_INEQ_SEL`), with given values
 * and without: the key's index is then cheapest by far, and the prepared plan no dearer than one for the values, so it is kept.
 */
export const ANY_ID = "m.id >= (SELECT '00000000-0000-0000-0000-000000000000'::uuid)";
