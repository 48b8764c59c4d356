import { CREDENTIALS } from './credentials.js';
import { identityNumbers } from './identity-numbers.js';
import { paymentNumbers } from './payment-numbers.js';
import type { SecretSpan } from './secret-span.js';
import { SPOKEN_CODES } from './spoken-codes.js';
import { SPOKEN } from './spoken-secrets.js';

/** Stands where a secret stood. Never itself a secret, so that masked text can be checked and masked again. */
export const SECRET_MASK = '[secret]';

const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;
const PEM_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/gu;

/** Private keys of any length; one without its end takes the rest of the text. */
function* privateKeys(text: string): Iterable<SecretSpan> {
  let from = 0;
  while (from < text.length) {
    PEM_BEGIN.lastIndex = from;
    const begin = PEM_BEGIN.exec(text);
    if (begin === null) return;
    PEM_END.lastIndex = begin.index;
    const end = PEM_END.exec(text);
    from = end === null ? text.length : end.index + end[0].length;
    yield { start: begin.index, end: from };
  }
}

/** The named group `secret`, or the whole match where the pattern has none. */
function secretIn(match: RegExpExecArray): SecretSpan {
  const secret = match.groups?.['secret'];
  if (secret === undefined) return { start: match.index, end: match.index + match[0].length };
  const start = match.index + match[0].lastIndexOf(secret);
  return { start, end: start + secret.length };
}

/**
 * Secrets that secretlint's rules let through: keys and tokens by their prefix, private keys, passwords in URLs, in
 * assignments and in speech, PINs, payment cards and IBANs by their check digits, numbers that a state gave to a person. In the order of the rules; spans may
 * overlap. Time is linear in the length of the text.
 */
export function findSecrets(text: string): SecretSpan[] {
  const found: SecretSpan[] = [...privateKeys(text)];
  for (const pattern of CREDENTIALS) {
    for (const match of text.matchAll(pattern)) found.push(secretIn(match));
  }
  for (const { pattern, isSecret } of [...SPOKEN, ...SPOKEN_CODES]) {
    for (const match of text.matchAll(pattern)) {
      const span = secretIn(match);
      if (isSecret(text.slice(span.start, span.end), text.slice(span.end, span.end + 40))) found.push(span);
    }
  }
  return [...found, ...paymentNumbers(text), ...identityNumbers(text)];
}

/** The text with each span replaced by `SECRET_MASK`; overlapping spans become one mask. */
export function maskSecrets(text: string, spans: readonly SecretSpan[]): string {
  let masked = '';
  let position = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start >= position) masked += text.slice(position, start) + SECRET_MASK;
    position = Math.max(position, end);
  }
  return masked + text.slice(position);
}

/** Digits of Arabic, Persian and Hindi. */
const OTHER_DIGITS = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/gu;

/**
 * Invisible characters and compatibility forms (fullwidth letters) removed, digits of other scripts written as ASCII ones:
 * a secret written with them is still one.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(OTHER_DIGITS, (digit) => {
      const code = digit.charCodeAt(0);
      return String((code - (code >= 0x0966 ? 0x0966 : 0)) & 0xf);
    });
}
