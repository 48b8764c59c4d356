import type { English } from './english.js';

/** Verbs whose bare form after "and" starts a new statement about the same subject; a noun of the same letters stays one. */
const BARE =
  'live in|work (?:at|for|as|in|from|on|with)|use|deploy|host|love|like|enjoy|hate|dislike|prefer|adore|do not|have (?:an?|two|three|four|five|one|no|to)|speak|play|study|drive|own|run (?:an?|my|every|on)|cook|want to|plan to|hope to|keep|avoid|eat|drink|code in|program in|collect|volunteer|teach|no longer|' +
  'ride (?:an?|my|the|to)|rent (?:out|an?|my)|carry|look after|take (?:an?|my|the|care|part)|sing (?:in|with)|dance (?:in|with)|swim (?:in|on|at|every|twice|for)|go (?:to|for|on|out|[a-z]+ing|back|home|twice|once|every)|get up|wake up|make (?:an?|my|it|the)|feel|start (?:on|at|in|work)|need (?:to|an?|my)|try to|spend|walk (?:to|my|the|every)|help (?:my|out|with)|weigh (?:about )?\\d+|read (?:an?|about|the|every)|watch (?!with|from|that)(?=[a-z])|write (?:an?|my|about|the|for)|sleep (?:in|at|on|until|late|well|badly|\\d)|wear|pay (?:for|\\d)|train (?:for|at|on|every)|bake|smoke|skip|dabble';
/** Forms that no infinitive before them governs. */
const FINITE =
  'am|cannot|please|always|never|moved|switched|stopped|joined|started|began|bought|got|went|became|launched|left (?=[A-Z]|my\\b|the\\b)|quit|sold|named (?=it\\b|him\\b|her\\b)|met|took (?=an?\\b|up\\b|my\\b|the\\b)|gave|married|adopted|signed up|graduated|decided|grew up|came|had (?=an?\\b|to\\b|my\\b)|ended up|retired|settled|opened|cancelled|canceled|upgraded|downgraded|replaced|ditched|traded|swapped|studied|renamed|never looked|used to|thinking (?:of|about)|considering';

/** Source of a pattern: a verb that continues what was said of the same subject. */
export const SECOND_VERB = `(?:${BARE}|${FINITE})\\b`;

const IS_BARE = new RegExp(`^(?:also |then |now |currently |really )*(?:${BARE})\\b`, 'u');
/** "Planning to move to Berlin and work there": the second verb hangs on the first's "to". */
const GOVERNING =
  /\b(?:(?:want|plan|planning|hope|hoping|like|love|hate|prefer|need|have|going|try|trying|learn|learning|decided|aim|aiming|intend|dream|used|looking|saving up|training|studying|preparing|started|began|moved|able|about|determined|supposed|allowed|how) to (?!bed|school|church|sleep\b)[a-z]+|(?:will|would|can|should|must) (?:not )?[a-z]+)\b/;
/** "My sister who quit and moved to Rome": the second verb is hers. */
const OF_ANOTHER = /\b(?:who|which|that|whose|where) (?!I\b|my\b)[a-z]+/;
/** "I never drink and drive": not the one with the other. */
const DENIED_TOGETHER = /\b(?:never|do not|cannot) [a-z]+$/;

/** Whether what follows "and" or a comma stands by itself, or belongs to a verb before it that is not the subject's own. */
export function standsAlone(before: string, joint: string, after: string): boolean {
  if (/^(?:(?:also|then|now|currently|please|just|really|that) )*(?:I|my)\b/.test(after)) return true;
  if (/\b(?:but|so|yet|while|whereas|although|though)\b|[;\u2014\u2013-]/.test(joint)) return true;
  if (OF_ANOTHER.test(before)) return false;
  return !IS_BARE.test(after) || !(GOVERNING.test(before) || DENIED_TOGETHER.test(before));
}

/** Nouns at least as often, after another noun: "meat and fish twice a week". */
const NOUN =
  /^(?:and|but) (?:design|fish|work|travel|support|drink|dance|rest|sleep|play|study|test|research|film|food)\b/;

/** The statement of a clause without what another verb adds to it, whose own sense the rules do not see. */
export function withoutSecondVerb(text: string, english: English): string {
  if (!/^I (?!would\b).* (?:and|but) [a-z]+ \S/.test(text)) return text;
  const at = english.secondVerb(text);
  const before = text.slice(0, at).replace(/[\s,]+$/, '');
  return at < 1 || NOUN.test(text.slice(at)) || GOVERNING.test(before) || OF_ANOTHER.test(before) ? text : before;
}

const SECOND_AFTER_AND = new RegExp(
  `^(?!.*\\b(?:to|who|that|which) [a-z]+\\b.* and )(?:Is|Has|Was|Also|Does not|Cannot|[A-Z][a-z]+s|[A-Z][a-z]+ed|[A-Z][\\p{L}\\d_ ]+? is)\\b.* and (?:then )?(?:${BARE}|${FINITE.replace('am|', 'I|am|')}|[a-z]+(?<!(?:re|e)d)ed (?:it|them|him|her|working|at|in))\\b`,
  'u',
);
/** Two infinitives, a denial of a bare verb and another, a word left over from a particle: no sentence. */
const BROKEN =
  /\bto to\b|^(?:Does not|Cannot) [a-z]+ and\b|\b(?:and|or|but|with|for|to) *$|\bI [a-z]+|^Does not (?!like|love|enjoy|mind|hate)[a-z]+ .*and [a-z]+ing\b/;

/** Whether a sentence about the user was put together from two that the rules could not part. */
export function isMangled(content: string): boolean {
  return BROKEN.test(content) || SECOND_AFTER_AND.test(content);
}
