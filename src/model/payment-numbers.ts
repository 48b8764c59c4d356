import type { SecretSpan } from './secret-span.js';

/** Digits with at most one sign between two of them. */
const CARD = /(?<![\w+.-])[2-6](?:[ .-]?\d){12,18}(?![\w]|[.-]\d)/gu;
const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}[ -]?\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/giu;

/** Lengths and leading digits of the card networks (ISO/IEC 7812): a Luhn check alone lets one number in ten through. */
const CARD_NETWORKS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d*|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|(?:50|5[6-9]|6[0-9])\d{14})$/u;

function isCard(number: string): boolean {
  const digits = number.replace(/\D/gu, '');
  if (!CARD_NETWORKS.test(digits) || (/^(?:5[1-5]|2)/u.test(digits) && digits.length !== 16)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    sum += place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

/** Length of an IBAN by its country (registry of ISO 13616): a checksum alone lets one text in a hundred through. */
const IBAN_LENGTHS = new Map(
  (
    'NO15 BE16 DK18 FI18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 MN20 CH21 HR21 LI21 LV21 ' +
    'BG22 BH22 CR22 DE22 GB22 GE22 IE22 ME22 RS22 AE23 GI23 IL23 IQ23 TL23 OM23 SO23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 ' +
    'SE24 SK24 TN24 VG24 PT25 ST25 IS26 TR26 LY25 FR27 GR27 IT27 MC27 MR27 SM27 BI27 DJ27 AL28 AZ28 BY28 CY28 DO28 GT28 ' +
    'HU28 LB28 PL28 SV28 NI28 BR29 EG29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MT31 SC31 LC32 RU33'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);

/** Where an IBAN at the start of a text ends by its country's length; 0 where none stands there. */
function ibanEnd(text: string): number {
  const length = IBAN_LENGTHS.get(text.slice(0, 2).toUpperCase()) ?? 0;
  let end = 0;
  for (let signs = 0; signs < length; end += 1) {
    if (end === text.length) return 0;
    if (/[A-Za-z0-9]/u.test(text[end] ?? '')) signs += 1;
  }
  // Words that follow are no part of it; a run that goes on is something longer.
  return /^[A-Za-z0-9]/u.test(text.slice(end)) ? 0 : end;
}

/** ISO 13616: the rearranged number is 1 modulo 97. An IBAN allows a direct debit, so it counts as a secret. */
function isIban(text: string): boolean {
  const account = text.replace(/[ -]/gu, '').toUpperCase();
  let remainder = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Payment cards and IBANs, by their check digits. */
export function* paymentNumbers(text: string): Iterable<SecretSpan> {
  for (const { 0: number, index } of text.matchAll(CARD))
    if (isCard(number)) yield { start: index, end: index + number.length };
  for (const { 0: account, index } of text.matchAll(IBAN)) {
    const end = ibanEnd(account);
    if (end > 0 && isIban(account.slice(0, end))) yield { start: index, end: index + end };
  }
}
