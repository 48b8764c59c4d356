import type { Reading } from './statement-form.js';

/** Of these a person has one at a time. */
const PROFESSION =
  'engineers?|developers?|dev|programmer|coder|designer|architect|scientist|researcher|analyst|manager|director|ceo|cto|cfo|coo|accountant|bookkeeper|auditor|actuary|lawyer|attorney|paralegal|judge|notary|doctor|physician|surgeon|nurse|dentist|vet|veterinarian|pharmacist|paramedic|midwife|therapist|physiotherapist|psychologist|psychiatrist|[a-z]+(?:iolog|urolog|colog|atolog|odont|eolog|aetolog)ist|optician|counsell?or|teacher|professor|lecturer|instructor|librarian|journalist|editor|copywriter|translator|interpreter|chef|baker|butcher|barista|bartender|sommelier|waiter|waitress|farmer|florist|carpenter|plumber|electrician|mechanic|technician|welder|builder|roofer|locksmith|driver|courier|pilot|flight attendant|soldier|firefighter|police officer|detective|inspector|social worker|caregiver|carer|nanny|cleaner|caretaker|administrator|sysadmin|admin|recruiter|marketer|salesperson|realtor|broker|banker|trader|economist|statistician|mathematician|physicist|chemist|biologist|geologist|hairdresser|barber|tailor|cashier|clerk|receptionist|secretary|assistant|intern|apprentice|pastor|priest|ranger|guide|steward|stewardess|operator|specialist|jeweller|jeweler|decorator|landscaper|surveyor|archivist|curator|diplomat|politician|estate agent|travel agent|optometrist|dietitian|nutritionist|masseur|masseuse|security guard|product owner|scrum master';
/** One of these may stand beside another: a nurse paints, a student waits at table, a founder is an engineer. */
const VOCATION =
  'founder|co-?founder|entrepreneur|freelancer|contractor|consultant|tutor|student|undergraduate|postdoc|writer|author|photographer|artist|painter|illustrator|musician|singer|dancer|actor|actress|producer|cook|gardener|sailor|historian|philosopher|coach|trainer|athlete|maintainer|blogger';

/** Source of a pattern: what people do for a living. */
export const OCCUPATION = `${PROFESSION}|${VOCATION}`;

const IS_OCCUPATION = new RegExp(
  `^be (?:an? )((?:[\\p{L}\\d_/+#.-]+ ){0,3}?(?:${OCCUPATION}))((?:,? (?:at|for|with|in|of|from|on|by|who|based|specialising|specializing|working|to)\\b.*)?)$`,
  'iu',
);
const BECAME = new RegExp(IS_OCCUPATION.source.replace('^be', '^become'), 'iu');
const IS_PROFESSION = new RegExp(`(?:^|[ /-])(?:${PROFESSION})$`, 'iu');
/** Said of what one does beside one's work, did before it or hopes to do. */
const NO_LIVING =
  /\b(?:amateur|hobby|aspiring|retired|former|ex|trained|qualified|certified|licen[sc]ed|volunteer|keen|avid|passionate|good|great|decent|home|weekend|wannabe|budding|would-be|competitive|recreational|occasional|part-time|natural|terrible|bad|slow|fast|careful|safe|nervous|self-taught|lifelong|second)\b/i;

/** "Be a nurse at a hospital", "become a teacher". Null where it is no living. */
export function occupationOf(words: string): Reading | null {
  const became = BECAME.exec(words);
  const match = became ?? IS_OCCUPATION.exec(words);
  if (!match) return null;
  const [, title = '', detail = ''] = match;
  if (NO_LIVING.test(title)) return null;
  return { predicate: 'profession', value: title, single: IS_PROFESSION.test(title), detail, renewed: became !== null };
}

/** "Work as a dentist in Leipzig". */
export function workOf(job: string): Reading {
  const [, title = job, detail = ''] = /^(.+?) ((?:in|with|on|for|of)\b.*)$/i.exec(job) ?? [];
  return { predicate: 'job', value: title, single: !NO_LIVING.test(title), detail };
}
