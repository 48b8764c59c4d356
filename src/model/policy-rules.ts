/** A stretch of text that is a secret, in UTF-16 units: `text.slice(start, end)`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

/** Stands where a secret stood. Never itself a secret, so that masked text can be checked and masked again. */
export const SECRET_MASK = '[secret]';

/**
 * Formats of credentials, by their issuers' documented prefixes. Each repetition either starts only where its run starts
 * (look-behind) or is bounded, so that time grows with the length of the text and no faster.
 */
const TOKENS: readonly RegExp[] = [
  // AWS access key ids, with the prefixes of the IAM reference; also the documentation's own example, which is no memory either.
  /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/gu,
  // JSON Web Tokens, signed or not.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]*/gu,
  // A bearer credential has a digit; "the Bearer of the Ring" has none.
  /\bbearer\s{1,4}(?=[\w\-.~+/]{0,200}\d)(?<secret>[\w\-.~+/]{12,}=*)/giu,
  /\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:basic|bearer|token|digest)\s{1,4})?(?<secret>[^\s"'[]{8,})/giu,
  // Stripe: secret and restricted keys, webhook secrets.
  /(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{8,}/gu,
  // Google: API keys, OAuth client secrets, access tokens.
  /(?<![\w-])(?:AIza[\w-]{30,}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})/gu,
  // OpenAI, Anthropic, OpenRouter and services that follow their shape.
  /(?<![\w-])sk-(?:proj|svcacct|admin|ant|or|lf)-[\w-]{8,}/gu,
  /(?<![\w-])sk-(?:(?=[A-Za-z]{0,64}\d)[A-Za-z0-9]{16,}|[A-Za-z0-9]{32,})/gu,
  // GitHub, GitLab, Slack, npm, PyPI, Hugging Face, Groq, xAI, DigitalOcean, Fly.io, SendGrid, age.
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,})/gu,
  /(?<![\w-])gl(?:pat|ptt|oas|dt|rt|cbt|ft|soat|agent|imt|ffct)-[\w-]{12,}/gu,
  /(?<![\w-])xox[abceoprs]-[\w-]{8,}|(?<![\w-])xapp-[\w-]{12,}/gu,
  /hooks\.slack\.com\/services\/[\w/]{8,}/giu,
  /(?<![\w-])(?:npm_[A-Za-z0-9]{24,}|pypi-[\w-]{24,}|hf_[A-Za-z0-9]{24,}|gsk_[A-Za-z0-9]{24,}|xai-[A-Za-z0-9]{24,})/gu,
  /(?<![\w-])(?:do[opr]_v1_[a-f0-9]{24,}|fm[12]_[\w+/=]{24,}|SG\.[\w-]{16,}\.[\w-]{16,}|AGE-SECRET-KEY-1[A-Z0-9]{24,})/gu,
  // Telegram bots.
  /(?<![\w-])\d{8,10}:[A-Za-z][\w-]{34}(?![\w-])/gu,
  // A URL with a password in it, of any scheme.
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@]{0,100}:(?!\[secret\]@)(?<secret>[^\s@/]{1,200})@(?=[\w[])/giu,
];

/** What people call a password; `\s` is bounded because the text is not. */
const PASSWORD_WORD =
  '(?:pass[ -]?(?:word|code)|passwd|pwd|passwor[td]|kennwort|mot de passe|contrase(?:ñ|n)a|senha|wachtwoord|hasło|heslo|lösenord|adgangskode|salasana|parola|şifre|пароль|код доступа|κωδικός)';
const KEY_WORD =
  '(?:(?:api|access|secret|private|signing|encryption|licen[cs]e|account|auth|master)[ _-]?key|(?:api|access|auth|refresh|bearer|bot|github|gitlab|slack|deploy|session)[ _-]?token|client[ _-]?secret|secret|token|credentials?|api[ -]?schlüssel)';
const DIGIT_CODE =
  'pin(?:[ -]?(?:code|number|nummer))?|geheimzahl|cv[vc]2?(?: (?:code|number))?|card (?:verification|security) code|otp|(?:security|otp|2fa|mfa|one[- ]time|verification|door|gate|alarm|safe|lock|unlock) code';
/** "for the staging box", between the word and its verb. */
const PURPOSE = '(?:\\s{1,3}(?:for|to|of|on|für|von)(?:\\s{1,3}[^\\s:=]{1,30}){1,4}?)?';
const LINK =
  "(?:\\s{0,3}(?:[:=]|->|=>)\\s{0,3}|\\s{1,3}[-–—]\\s{1,3}|['’]s\\s{1,3}|\\s{1,3}(?:is|was|are|equals|ist|war|lautet|est|es|è|é|är|jest)(?:\\s{1,3}now|\\s{1,3}jetzt|\\s{1,3}still)?\\s{0,3}:?\\s{1,3})";

/** The words that follow "the password is" where no password follows. Longer ones end in -ed and are told by that. */
const NO_PASSWORD = new Set(
  (
    'a an the my his her their our your not no never always too very so in on at with by from for under being only ' +
    'long short weak strong good bad easy hard safe secure unsafe insecure unsafely wrong correct right invalid valid unknown known ' +
    'unique common simple complex random secret private public new old missing empty needed broken set kept saved stored hidden ' +
    'forgotten lost stolen written changed due case what that something nothing everything important confidential annoying ' +
    'optional mandatory enough fine okay great awful dead useless outdated obsolete rubbish sicher unsicher zu nicht kein keine lang kurz stark schwach falsch richtig geheim abgelaufen vergessen ' +
    'das der die ein eine in im trop pas long court faible fort demasiado muy no'
  ).split(' '),
);

/** Digits or signs inside, or a capital after a small letter: nobody writes a plain word so. */
function looksMade(value: string): boolean {
  return /\d/u.test(value) || /[^\p{L}\d'’.,;!?()-]/u.test(value) || /\p{Ll}\p{Lu}/u.test(value);
}

/** A long run with letters and digits mixed: a key or a token, not a word, a number, a duration or a version. */
function looksLikeKey(value: string): boolean {
  const isName = /^(?:\d+[-/.]?\p{L}+|\p{L}+[-.]?\d{1,2})$/u.test(value);
  return value.length >= 8 && /\d/u.test(value) && /\p{L}/u.test(value) && !isName;
}

/** A word at the end of its clause stands where a password would ("is swordfish"); "is stored in ..." goes on. */
function isPassword(value: string, after: string): boolean {
  const word = value.replace(/[.,;!?)]+$/u, '');
  if (word.length < 3 || NO_PASSWORD.has(word.toLowerCase())) return false;
  if (looksMade(word)) return true;
  if (/^\p{Ll}+(?:ed|ing|ly)$/u.test(word)) return false;
  return word !== value || /^\s*(?:$|[.,;!?)]|(?:and|but|or|for|please|btw|und|aber|für|et|y)\s)/iu.test(after);
}

/** Found in a sentence about a passphrase, hardly ever in one. */
const JOINING_WORD = /^(?:an?|the|in|on|at|to|of|by|with|from|too|very|so|not|that|which|my|than|for|and)$/iu;

interface SpokenRule {
  readonly pattern: RegExp;
  readonly isSecret: (value: string, after: string) => boolean;
}

/** What people say: a word for a secret, a verb, and the secret. The value alone is the secret. */
const SPOKEN: readonly SpokenRule[] = [
  {
    pattern: new RegExp(`(?<!\\p{L})${PASSWORD_WORD}${PURPOSE}${LINK}(?<secret>[^\\s"'\`“”„«»\\[]{3,128})`, 'giu'),
    isSecret: isPassword,
  },
  {
    // In quotes, several words are one password.
    pattern: new RegExp(
      `(?<!\\p{L})(?:${PASSWORD_WORD}|pass ?phrase|${KEY_WORD})["']?${PURPOSE}${LINK}["'\`“„«](?<secret>[^"'\`“”„«»\\n\\[]{3,128})["'\`“”»]`,
      'giu',
    ),
    isSecret: () => true,
  },
  {
    // Short forms, which mean other things outside a note of that form.
    pattern: /(?<!\p{L})(?:pw|pass)\s{0,3}[:=]\s{0,3}(?<secret>[^\s"'[]{5,128})/giu,
    isSecret: (value) => /\p{L}/u.test(value) && /\d/u.test(value),
  },
  {
    // Scripts that set no blanks between words; the secret itself is typed on a keyboard of signs.
    pattern:
      /(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน|كلمة (?:المرور|السر)|סיסמה|पासवर्ड)[^\S\n]{0,3}(?:是|為|为|は|が|는|은|คือ|هي|היא|है)?[^\S\n]{0,3}[:：=]?[^\S\n]{0,3}["'「『]?(?<secret>[!-Z\\^-~]{4,128})/giu,
    isSecret: (value) => /\d/u.test(value) || looksMade(value),
  },
  {
    // "the pw is Tr0ub4dor&3", "user bob pass hunter2": the short words only with what a password looks like.
    pattern: /(?<!\p{L})(?:pw|pass)\s{1,3}(?:is\s{1,3})?(?<secret>[^\s"'[]{6,128})/giu,
    isSecret: (value) => looksLikeKey(value.replace(/[.,;!?)]+$/u, '')) && !/^\d/u.test(value),
  },
  {
    // "API key 9f86d081884c7d65", without a verb: only what is long enough to be nothing else.
    pattern: new RegExp(`(?<!\\p{L})${KEY_WORD}\\s{1,3}(?<secret>[\\w+/=]{16,512})(?![\\w+/=-])`, 'giu'),
    isSecret: looksLikeKey,
  },
  {
    // "Wifi password \"blue fish tank\"": in quotes right behind the word.
    pattern: new RegExp(
      `(?<!\\p{L})(?:${PASSWORD_WORD}|pass ?phrase)\\s{1,3}["“„«](?<secret>[^"“”„«»\\n\\[]{3,128})["”»“]`,
      'giu',
    ),
    isSecret: () => true,
  },
  {
    // "password hunter2", "hunter2 as my password"
    pattern: new RegExp(`(?<!\\p{L})${PASSWORD_WORD}\\s{1,3}(?<secret>[^\\s"'\\[]{5,128})`, 'giu'),
    isSecret: (value) => /\p{L}/u.test(value) && /\d/u.test(value) && !/^1password/iu.test(value),
  },
  {
    pattern: new RegExp(
      `(?<![^\\s"'])(?<secret>[^\\s"'\\[]{5,128})["']?\\s{1,3}(?:as|als)\\s{1,3}(?:(?:my|the|a|his|her|their|mein|das)\\s{1,3})?(?:\\p{L}{1,20}\\s{1,3})?${PASSWORD_WORD}(?!\\s{1,3}manager)`,
      'giu',
    ),
    isSecret: (value) => looksMade(value) && !/^1password/iu.test(value),
  },
  {
    pattern: new RegExp(
      `(?<!\\p{L})(?:(?:seed|recovery|secret|mnemonic|backup)\\s{1,3}phrase|pass ?phrase|mnemonic)${LINK}(?<secret>[^\\s.;!?\\[][^.;!?\\n\\[]{2,300})`,
      'giu',
    ),
    isSecret: (value) => {
      const spoken = value.split(/\s+/u);
      if (JOINING_WORD.test(spoken[0] ?? '')) return false;
      if (spoken.length < 3) return isPassword(value, '');
      return !/(?:ed|ing|ly)$/u.test(spoken[0] ?? '') && !spoken.some((word) => JOINING_WORD.test(word));
    },
  },
  {
    pattern: new RegExp(`(?<!\\p{L})${KEY_WORD}["']?${PURPOSE}${LINK}(?<secret>[^\\s"'\`“”„«»\\[&]{8,512})`, 'giu'),
    isSecret: (value) => looksLikeKey(value.replace(/[.,;!?)]+$/u, '')),
  },
  {
    // Assignments in a configuration: `DB_PASSWORD=hunter`, `"apiKey": "..."`.
    pattern:
      /(?<![A-Za-z0-9])(?:\w{0,40}_)?(?:password|passwd|pwd|secret|token|api_?key|accountkey|access_?key|private_?key)["']?=["']?(?<secret>[^\s"',;&[]{4,512})/giu,
    isSecret: () => true,
  },
  {
    // A code of digits, said to be one. An Indian postal PIN code reads the same and is refused too.
    pattern: new RegExp(
      `(?<!\\p{L})(?:${DIGIT_CODE})(?:\\s{1,3}(?:for|of|to|on|für)(?:\\s{1,3}[^\\s:=]{1,20}){1,4}?)?(?:\\s{0,3}[:=#]\\s{0,3}|\\s{1,3}(?:(?:is|was|ist|lautet|est|es)\\s{1,3}(?:now\\s{1,3})?)?)(?<secret>\\d{3,8})(?![\\p{L}\\d%]|[.,:/-]\\d)`,
      'giu',
    ),
    isSecret: (_value, after) =>
      !/^\s{1,3}(?:digits?|characters?|chars|letters|lines?|pages?|words|times|users|people|seconds|minutes|hours|days|weeks|months|years|euros?|dollars?|percent|am|pm)(?!\p{L})/iu.test(
        after,
      ),
  },
  {
    pattern: new RegExp(
      `(?<!\\p{L})(?:changed|set|reset|updated)\\s{1,3}(?:\\p{L}{1,20}\\s{1,3}){0,3}?${PASSWORD_WORD}${PURPOSE}\\s{1,3}to\\s{1,3}(?<secret>[^\\s"'\\[]{3,128})`,
      'giu',
    ),
    isSecret: isPassword,
  },
];

const CARD = /(?<![\w+.-])[2-6](?:[ -]?\d){12,18}(?![\w]|[.-]\d)/gu;
const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/gu;

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

/** ISO 13616: the rearranged number is 1 modulo 97. An IBAN allows a direct debit, so it counts as a secret. */
function isIban(text: string): boolean {
  const account = text.replace(/ /gu, '');
  if (account.length < 15 || account.length > 34) return false;
  let remainder = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

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
 * assignments and in speech, PINs, payment cards and IBANs by their check digits. In the order of the rules; spans may
 * overlap. Time is linear in the length of the text.
 */
export function findSecrets(text: string): SecretSpan[] {
  const found: SecretSpan[] = [...privateKeys(text)];
  for (const pattern of TOKENS) {
    for (const match of text.matchAll(pattern)) found.push(secretIn(match));
  }
  for (const { pattern, isSecret } of SPOKEN) {
    for (const match of text.matchAll(pattern)) {
      const span = secretIn(match);
      if (isSecret(text.slice(span.start, span.end), text.slice(span.end, span.end + 40))) found.push(span);
    }
  }
  for (const match of text.matchAll(CARD)) if (isCard(match[0])) found.push(secretIn(match));
  for (const match of text.matchAll(IBAN)) if (isIban(match[0])) found.push(secretIn(match));
  return found;
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

/** Invisible characters and compatibility forms (fullwidth letters) removed: a secret written with them is still one. */
export function plainText(text: string): string {
  return text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}
