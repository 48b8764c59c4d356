import { clausesOf, parseStatement } from '../../../model/statement.js';
import type { Statement } from '../../../model/statement.js';

/** Predicates that name what they are about: a dog is no cat, the plan of Netflix is none of Spotify. */
const NAMING = /^(have|plan|number of|favou?rite|preferred|deploy) (.+)$/;

/**
 * Whether two sentences are plainly about different things, however alike they are: another person ("Sister Ana lives in
 * Porto" and "Lives in Lisbon"), another possession ("Has a dog called Rex" and "Has a cat called Mia"). False where the
 * rules do not understand both.
 */
export function isAboutAnother(one: string, other: string): boolean {
  const [said, known] = [statementsOf(one), statementsOf(other)];
  return (
    said.length > 0 &&
    known.length > 0 &&
    said.every((statement) => known.every((old) => haveDifferentSubjects(statement, old) || nameOthers(statement, old)))
  );
}

/** None where one of the clauses is not understood. */
function statementsOf(sentence: string): readonly Statement[] {
  const read = clausesOf(sentence).map((clause) => parseStatement(clause));
  return read.every((statement) => statement !== null) ? read : [];
}

/** "sister ana" and "ana" are one person. */
function haveDifferentSubjects({ subject: one }: Statement, { subject: other }: Statement): boolean {
  if (one === 'user' || other === 'user') return one !== other;
  const known = new Set(other.split(' '));
  return !one.split(' ').some((word) => known.has(word));
}

function nameOthers(one: Statement, other: Statement): boolean {
  const [, kind, thing] = NAMING.exec(one.predicate) ?? [];
  const [, otherKind, otherThing] = NAMING.exec(other.predicate) ?? [];
  return kind !== undefined && kind === otherKind && thing !== otherThing;
}
