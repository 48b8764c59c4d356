import type { SecretSpan } from './secret-span.js';

/** What a number that a state gave to a person is called, in some languages. */
const NAMED = [
  'ssn|itin|social security (?:number|no\\.?|num|#)|social insurance (?:number|no\\.?)|(?:my|his|her) sin',
  "national insurance(?: (?:number|no\\.?))?|ni number|nhs (?:number|no\\.?)|pps(?:n| number)|(?:passport|driv(?:er['’]?s|ing) licen[cs]e|green card|identity card|id card|national id(?:entity)?|state id|medicare|tax file) (?:number|no\\.?|#)|national id|tax(?:payer)? (?:id|identification)(?: (?:number|no\\.?))?|tfn|aadhaar(?: (?:card|number|no\\.?))*|pan (?:card|number)(?: number)?",
  '(?:sozialversicherungs|rentenversicherungs|steuer|steueridentifikations|personalausweis|ausweis|reisepass|pass|führerschein|ahv|versicherten)-?(?:nummer|nr\\.?)|steuer-?id',
  "(?:numéro|num|n°|no) (?:de |d['’])(?:sécurité sociale|sécu|passeport|carte d['’]identité)|numéro fiscal",
  'dni|curp|rut|(?:número|n°) de (?:la )?seguridad social|número de (?:pasaporte|cédula|identificación)|cédula',
  "codice fiscale|numero (?:di|del) passaporto|numero (?:di |della )carta d['’]identità",
  'cpf|niss|número (?:de|do) (?:passaporte|contribuinte|identificação fiscal)',
  'bsn|burgerservicenummer|paspoortnummer|rijksregisternummer|pesel|numer (?:pesel|dowodu|paszportu)|personnummer|cpr(?:-?nummer)?|fødselsnummer|henkilötunnus|hetu|rodné číslo|cnp|személyi szám|(?:t\\.?c\\.? )?kimlik (?:no|numara(?:m|sı)?)',
  'снилс|номер паспорта|паспорт',
].join('|');
const RUN_ON = '身份证(?:号码|号)?|护照号码?|マイナンバー|個人番号|パスポート番号|주민등록번호|여권번호';
const PURPOSE = '(?:\\s{1,3}(?:for|of|on|für|von|de|del|di|do)(?:\\s{1,3}[^\\s:=\\d]{1,20}){1,3}?)?';
const LINK =
  '(?:\\s{0,3}[:=#]\\s{0,3}|\\s{1,3}(?:(?:is|was|ist|war|lautet|est|es|è|é|to|är|er|on|это)(?:\\s{1,3}now)?\\s{0,3}:?\\s{1,3})?)';
/** Digits and letters in groups; each group ends in a digit, so that no word that follows is taken along. */
const NUMBER =
  '(?:[A-Z]{1,2}[ -]|[A-Z]{1,6})?\\d(?:[ ./-]?(?:[A-Z]{1,6}|[A-Z] )?\\d){4,20}(?:[ -]?[A-Z](?![\\p{L}\\d]))?';

const LABELLED = [
  new RegExp(`(?<!\\p{L})(?:${NAMED})${PURPOSE}${LINK}(?<secret>${NUMBER})(?![\\p{L}\\d])`, 'giu'),
  // "My social is 219 09 9999"; what social security pays has fewer digits.
  new RegExp(
    `(?<!\\p{L})(?:social security|(?:my|his|her|their) social)${LINK}(?<secret>\\d{3}[ -]?\\d{2}[ -]?\\d{4})(?![\\p{L}\\d])`,
    'giu',
  ),
  new RegExp(`(?:${RUN_ON})[^\\S\\n]{0,3}(?:是|は|는|은)?[:：]?[^\\S\\n]{0,3}(?<secret>${NUMBER})(?!\\d)`, 'giu'),
];

/** A date and two years have the length of a number, and where it stands behind "passport" it says when that ends. */
function isDate(value: string): boolean {
  return /^(?:(?:19|20)\d\d[ /-](?:19|20)\d\d|\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})$/u.test(
    value,
  );
}

/** What a number with dashes is one of, where it is no person's: a telephone has groups of any length. */
const OTHER_NUMBER =
  'phone|telephone|tel|mobile|cell|fax|whatsapp|call|text|ring|dial|contact|handy|telefon|order|part|serial|ticket|invoice|tracking|sku|model|isbn|reference|ref|case|item|lot|article|extension|ext|customer|policy|booking|product|catalog(?:ue)?';
const OTHER_BEFORE = new RegExp(`(?<!\\p{L})(?:${OTHER_NUMBER})(?!\\p{L})[^.!?\\n]{0,30}$`, 'iu');
const OTHER_AFTER = new RegExp(`^\\s{0,3}(?:is|was)\\s{1,3}(?:\\p{L}{1,12}\\s{1,3}){0,2}(?:${OTHER_NUMBER})`, 'iu');

interface Format {
  readonly pattern: RegExp;
  readonly isIssued: (number: string) => boolean;
}

/** Formats that say by themselves what they are: by the groups in which they are written, or by a check digit. */
const FORMATS: readonly Format[] = [
  {
    // Social security number of the United States; these areas, groups and serials were never given out.
    pattern: /(?<![\w.+/-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w/-]|\.\d)/gu,
    isIssued: () => true,
  },
  {
    // National insurance number of the United Kingdom, in its pairs.
    pattern: /(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d{2} \d{2} \d{2} [A-D](?![\w-])/gu,
    isIssued: () => true,
  },
  {
    // Spain: the letter is the rest of the number modulo 23.
    pattern: /(?<![\w.-])(?:\d{8}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z](?![\w-])/gu,
    isIssued: (number) => {
      const digits = number.slice(0, -1).replace(/-/gu, '').replace('X', '0').replace('Y', '1').replace('Z', '2');
      return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === number.at(-1);
    },
  },
  {
    // Brazil, as it is written: two check digits modulo 11.
    pattern: /(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/gu,
    isIssued: (number) => {
      const digits = [...number.replace(/\D/gu, '')].map(Number);
      return [9, 10].every((length) => {
        const sum = digits.slice(0, length).reduce((total, digit, place) => total + digit * (length + 1 - place), 0);
        return ((sum * 10) % 11) % 10 === digits[length];
      });
    },
  },
  {
    // France: sex, year, month, place and order of birth, and what they lack to a multiple of 97.
    pattern: /(?<![\w.-])[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?\d{2} ?\d{3} ?\d{3} ?\d{2}(?![\w-])/gu,
    isIssued: (number) => {
      const digits = number.replace(/ /gu, '');
      return 97 - (Number(digits.slice(0, 13)) % 97) === Number(digits.slice(13));
    },
  },
  {
    // Italy: six letters of the name, the birthday, the place, and a letter that is checked by none but the office.
    pattern: /(?<![\w-])[A-Z]{6}\d{2}[A-EHLMPRST](?:[0-6]\d|7[01])[A-Z]\d{3}[A-Z](?![\w-])/gu,
    isIssued: () => true,
  },
  {
    // Mexico: four letters of the name, the birthday, sex, state, three letters more and two signs.
    pattern: /(?<![\w-])[A-Z]{4}\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])[HMX][A-Z]{5}[A-Z\d]\d(?![\w-])/gu,
    isIssued: () => true,
  },
  {
    // China (GB 11643): place, birthday, order and a check digit modulo 11.
    pattern: /(?<![\w.-])[1-8]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx](?![\w-])/gu,
    isIssued: (number) => {
      const sum = [...number.slice(0, 17)].reduce(
        (total, digit, place) => total + Number(digit) * (2 ** (17 - place) % 11),
        0,
      );
      return '10X98765432'[sum % 11] === number.at(-1)?.toUpperCase();
    },
  },
];

/** Numbers that a state gave to a person: said to be one, or written as only such a number is. */
export function* identityNumbers(text: string): Iterable<SecretSpan> {
  for (const pattern of LABELLED)
    for (const match of text.matchAll(pattern)) {
      const number = match.groups?.['secret'] ?? '';
      const start = match.index + match[0].length - number.length;
      // "In 20240" is no prefix of a number.
      if (!isDate(number) && !/^\p{Ll}+ /u.test(number)) yield { start, end: start + number.length };
    }
  for (const { pattern, isIssued } of FORMATS)
    for (const { 0: number, index } of text.matchAll(pattern)) {
      const end = index + number.length;
      const isOther =
        OTHER_BEFORE.test(text.slice(Math.max(0, index - 50), index)) || OTHER_AFTER.test(text.slice(end, end + 50));
      if (!isOther && isIssued(number)) yield { start: index, end };
    }
}
