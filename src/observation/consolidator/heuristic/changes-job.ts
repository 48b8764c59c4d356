import type { Statement } from '../../../model/statement.js';
import { sameValue } from './values.js';

const IDLE = /^(?:unemployed|out of work|jobless|between jobs)$/;

/** Whether one job takes the place of another; two that are said side by side may both be held. */
export function changesJob(said: Statement, old: Statement): boolean {
  if (said.negated || old.negated || said.additional || old.additional) return false;
  if (old.predicate === 'be' && IDLE.test(old.value)) return jobIn(said) !== null && said.subject === old.subject;
  const [job, before] = [jobIn(said), jobIn(old)];
  if (job === null || before === null || isOneJob(job, before)) return false;
  return said.renewed !== null || (said.predicate === old.predicate && said.single && old.single);
}

/** The same job for somebody else: "Is a nurse at Acme" and "Is a nurse at Initech". */
export function changesEmployer(said: Statement, old: Statement): boolean {
  const [now, before] = [employerIn(said), employerIn(old)];
  if (said.negated || old.negated || said.additional || now === null || before === null || sameValue(now, before))
    return false;
  const [job, jobBefore] = [jobIn(said), jobIn(old)];
  return job !== null && (jobBefore === null ? said.renewed !== null : isOneJob(job, jobBefore));
}

/** A nurse is one, whatever kind: "Is a teacher" and "Is a maths teacher". */
function isOneJob(one: string, other: string): boolean {
  return one === other || one.endsWith(` ${other}`) || other.endsWith(` ${one}`);
}

function jobIn({ predicate, value, detail }: Statement): string | null {
  if (predicate === 'job' || predicate === 'profession') return value;
  return predicate === 'employer' ? (/^as (.+)$/.exec(detail)?.[1] ?? null) : null;
}

function employerIn({ predicate, value, detail }: Statement): string | null {
  if (predicate === 'employer') return value;
  return predicate === 'job' || predicate === 'profession' ? (/^(?:at|for) (.+)$/.exec(detail)?.[1] ?? null) : null;
}
