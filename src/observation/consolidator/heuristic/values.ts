import { MONTHS } from '../../../model/months.js';
/** What a particular value says beyond the general one; empty where it does not begin with it. */
export function remainder(general: string, particular: string): string {
  return particular.startsWith(`${general} `) ? particular.slice(general.length + 1) : '';
}

/** A denial of the whole denies the particular: "Does not use Postgres" against "Uses Postgres for reports". */
export function covers(general: string, particular: string): boolean {
  return /^(?:(?:in|on|at|for|with|called|named|to|every)\b|\d)/.test(remainder(general, particular));
}

/** Equal, or the same list in another order. */
export function sameValue(a: string, b: string): boolean {
  return listOf(a).sort().join('|') === listOf(b).sort().join('|');
}

/** "tea and coffee": what the value names, one by one. */
export function listOf(value: string): string[] {
  return value.split(/,? and |, /);
}

const DATE_AT_END = new RegExp(
  ` (?:on|in) (?:(?:[a-z]+ )*\\d{4}(?:-\\d\\d-\\d\\d)?|(?:last )?(?:${MONTHS.toLowerCase()}))$`,
);

/** Without the day or the month at its end, on which it happened. */
export function undated(value: string): string {
  return value.replace(DATE_AT_END, '');
}
