const IRREGULAR: Readonly<Record<string, string>> = { is: 'am', has: 'have', does: 'do', was: 'was', goes: 'go' };

/** After a subject there is a verb: "James has two dogs" begins with a name, though it ends in s like a verb. */
const AFTER_SUBJECT = /^(?:is|are|was|were|has|had|will|can|could|should|would|does|did|do|have|\w+ed)$/;

/**
 * "Deploys on Fly.io" as its owner would say it: "I deploy on Fly.io". People ask in the first person, and a model that
 * knows little of grammar finds the two nearer. Null for a sentence with a subject of its own, which stays as it is.
 */
export function inFirstPerson(sentence: string): string | null {
  const parts = /^([A-Za-z]+s) (\S+)(.*)$/s.exec(sentence);
  if (!parts) return null;
  const [, first = '', second = '', rest = ''] = parts;
  const verb = first.toLowerCase();
  if (verb in IRREGULAR) return `I ${IRREGULAR[verb]} ${second}${rest}`;
  if (AFTER_SUBJECT.test(second)) return null;
  return `I ${baseForm(verb)} ${second}${rest}`;
}

function baseForm(verb: string): string {
  if (verb.endsWith('ies')) return `${verb.slice(0, -3)}y`;
  if (/(?:sh|ch|ss|x|zz)es$/.test(verb)) return verb.slice(0, -2);
  return verb.slice(0, -1);
}
