import { kindOfTool } from '../../../model/counterparts.js';
import { HOSTING_PROVIDER } from '../../../model/statement.js';
import { TOOL_ROLE } from '../../../model/tool-role.js';
import type { Statement } from '../../../model/statement.js';
import { covers, listOf, sameValue } from './values.js';

/** What is used, taken or done, of which another may take the place. */
const EXCHANGED =
  /^(?:use|deploy|host|run|code|program|develop|build|write|eat|drink|smoke|play|watch|read|drive|ride|own|study|learn|practi[cs]e|commute|switch to)\b|^have$/;
/** Where one is used in a role ("as their editor"), the role is what it is for. */
const IS_ROLE = new RegExp(`^(?:${TOOL_ROLE})$`);

/** "We switched from Jira to Linear", said of what the "Team uses". */
const OWN_TEAM = /^(?:team|company|startup|department|office)$/;

/** "Every morning", "on Mondays": when somebody does again and again what they do. */
const OFTEN =
  /(?:^| )(?:(?:every|each) (?:single )?(?:day|morning|evening|afternoon|night|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|on (?:weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|in (?:morning|evening|afternoon)s?|at (?:night|noon|weekends)|daily|weekly)$/;

/**
 * The part of a memory's value whose place the statement takes, by what it says itself: "instead of Jira", "from Vim to
 * Zed". Null where it says nothing of it.
 */
export function exchanged(said: Statement, old: Statement): string | null {
  if (
    !(said.subject === old.subject || (said.subject === 'user' && OWN_TEAM.test(old.subject))) ||
    said.replaces === null ||
    old.negated ||
    !(EXCHANGED.test(old.predicate) || IS_ROLE.test(old.predicate) || old.value.startsWith('learning '))
  )
    return null;
  if (old.predicate === 'be') return old.value === `learning ${said.replaces}` ? said.replaces : null;
  if (sameValue(said.replaces, old.value)) return old.value;
  if (covers(said.replaces, old.value)) return said.replaces;
  return listOf(old.value).includes(said.replaces) ? said.replaces : null;
}

/** "Linux on their laptop": it is the system that changes. */
const ON_DEVICE = / on (?:work )?(?:laptop|computer|desktop|pc|phone|machine)$/;

/**
 * The part of a memory's value that the statement seems to end, where it says that something was other before and not
 * what: "Switched to Zed", "Uses Firefox now" beside another of its kind, "Plays padel instead". It is the one that is
 * meant only where no other memory could be.
 */
export function outdated(said: Statement, old: Statement): string | null {
  if (said.subject !== old.subject || said.negated || old.negated || said.additional || said.replaces !== null)
    return null;
  const isSwitch = said.predicate === 'switch to';
  if (!isSwitch && said.renewed === null) return null;
  if (/^deploy\b/.test(old.predicate)) return isSwitch && movesHost(said, old) ? old.value : null;
  if (!EXCHANGED.test(old.predicate) && !IS_ROLE.test(old.predicate)) return null;
  const kind = kindOfTool(said.value);
  const items = listOf(old.value).map((item) => item.replace(OFTEN, '').replace(ON_DEVICE, ''));
  if (items.includes(said.value)) return null;
  const alike = items.filter((item) => kind !== null && kindOfTool(item) === kind);
  if (isSwitch || said.predicate === old.predicate) {
    if (alike.length === 1) return alike[0] ?? null;
  }
  // Of tools in no list nobody can tell whether they do the same.
  const comparable = said.predicate !== 'use' && kind === null && items.every((item) => kindOfTool(item) === null);
  return said.renewed === 'instead' && said.predicate === old.predicate && comparable ? old.value : null;
}

/** "Runs every morning", and "every evening now": the same at another time. */
export function changesDay(said: Statement, old: Statement): boolean {
  return (
    said.renewed !== null &&
    !said.additional &&
    OFTEN.test(said.value) &&
    OFTEN.test(old.value) &&
    said.value.replace(OFTEN, '') === old.value.replace(OFTEN, '')
  );
}

/** "From running to swimming", of somebody who "Runs every morning". */
export function leavesHabit({ subject, replaces }: Statement, old: Statement): boolean {
  const [, stem = ''] = /^([a-z]{2,})ing$/.exec(replaces ?? '') ?? [];
  if (stem === '' || old.negated || subject !== old.subject) return false;
  return [stem, `${stem}e`, stem.slice(0, -1)].includes(old.predicate.split(' ')[0] ?? '');
}

/** Of what is hosted by name ("the frontend") a bare "Switched to GCP" does not tell. */
function movesHost(said: Statement, old: Statement): boolean {
  return (
    old.predicate === 'deploy' &&
    HOSTING_PROVIDER.test(said.value) &&
    HOSTING_PROVIDER.test(old.value) &&
    !sameValue(said.value, old.value)
  );
}
