import type { SpokenRule } from './spoken-rule.js';

/** What people call a code of digits that lets somebody in, in some languages. */
const CODE_WORDS = [
  'pin(?:[ -]?(?:code|number|nummer|kod))?|geheim(?:zahl|nummer)|cv[vc]2?(?: (?:code|number))?|card (?:verification|security) code|otp',
  '(?:security|otp|sms|2fa|mfa|one[- ]time|single[- ]use|verification|confirmation|authenti[cf]ation|authenticator|login|log-?in|sign[- ]in|access|entry|door|gate|alarm|safe|lock|unlock) code',
  '(?:bestätigungs|verifizierungs|verifikations|sicherheits|einmal|anmelde|zugangs|freischalt|aktivierungs|tür|tor|alarm|safe)-?(?:code|pin|passwort|kennwort)|entsperrcode',
  "code pin|code (?:de |d['’])(?:vérification|sécurité|confirmation|validation|connexion|accès|la porte|l['’]alarme)|code secret|code à usage unique",
  "code (?:de |du |d['’])(?:(?:la|ma|mon|sa|son|notre|votre) )?(?:carte(?: bleue| bancaire| de crédit)?|cb|téléphone|portable|immeuble|portail|coffre)",
  'código(?:s)? (?:de )?(?:verificación|seguridad|confirmación|acceso|pin|verificação|segurança|confirmação)|clave de un solo uso',
  'codice (?:di )?(?:verifica|sicurezza|conferma|accesso|pin)',
  '(?:verificatie|beveiligings|toegangs|pin)-?code|kod (?:pin|sms|weryfikacyjny|dostępu)|doğrulama kodu|pin kodum?',
  'код (?:подтверждения|доступа|безопасности|из смс)|пин(?:-?код)?',
].join('|');
const CODE = `(?<!\\p{L})(?:${CODE_WORDS})`;
/** The same in scripts and languages whose words run on, or stand apart from their code. */
const RUN_ON_CODE =
  '验证码|驗證碼|校验码|认证码|認証コード|確認コード|認証番号|ワンタイムパスワード|暗証番号|인증번호|인증 ?코드|확인 코드|รหัส OTP|رمز (?:التحقق|التأكيد|الأمان|الدخول)|الرقم السري|کد (?:تایید|تأیید|ورود|فعال\u200C?سازی|فعالسازی)|رمز (?:یکبار مصرف|پویا|دوم)|सत्यापन कोड|ओटीपी|पिन';
const DIGITS = '(?:\\d{3,8}|\\d{2,4}(?:[ -]\\d{2,4}){1,3})';
const PURPOSE =
  '(?:\\s{1,3}(?:for|of|to|on|für|der|des|mein(?:er|es)|sein(?:er|es)|ihr(?:er|es)|unser(?:er|es)|zur|zum|vom|von|de|del|du|pour|para|per|di|della|da|do|van|voor|na|от|для)(?:\\s{1,3}[^\\s:=]{1,20}){1,4}?)?';
const LINK =
  '(?:\\s{0,3}[:=#]\\s{0,3}|\\s{1,3}(?:(?:is|was|ist|war|lautet|est|es|è|é|to|is now|это)\\s{1,3}(?:now\\s{1,3})?)?)';
/** What a number is one of, where it is no code. */
const COUNTED =
  /^\s{1,3}(?:digits?|characters?|chars|letters|lines?|pages?|words|times|users|people|seconds|minutes|hours|days|weeks|months|years|euros?|dollars?|percent|am|pm|stellen|stellig|ziffern|zeichen|ms|kb|mb|loc|chiffres|cifras|cifre)(?!\p{L})/iu;

/** Codes of digits, said to be one. An Indian postal PIN code reads the same and is refused too. */
export const SPOKEN_CODES: readonly SpokenRule[] = [
  {
    pattern: new RegExp(`${CODE}${PURPOSE}${LINK}(?<secret>${DIGITS})(?![\\p{L}\\d%]|[.,:/-]\\d)`, 'giu'),
    isSecret: (_code, after) => !COUNTED.test(after),
  },
  {
    pattern: new RegExp(
      `(?:${RUN_ON_CODE})[^\\S\\n]{0,3}(?:[^\\s\\d!-~]{1,12}[^\\S\\n]{1,3}){0,3}[^\\s\\d!-~]{0,4}[:：=]?[^\\S\\n]{0,3}(?<secret>${DIGITS})(?!\\d)`,
      'giu',
    ),
    isSecret: () => true,
  },
  {
    // A tangent has fewer digits than the transaction number of a bank.
    pattern:
      /(?<!\p{L})(?:(?:sms|push|photo|chip|i|m)-?)?tan(?:\s{1,3}(?:is|ist|lautet))?\s{0,3}[:=]?\s{0,3}(?<secret>\d{6})(?![\p{L}\d%]|[.,:/-]\d)/giu,
    isSecret: () => true,
  },
  {
    // "482913 is your Google verification code"
    pattern: new RegExp(
      `(?<![\\p{L}\\d.,-])(?<secret>(?:[A-Z]{1,3}-)?(?:\\d{4,8}|\\d{3}[ -]\\d{3}))\\s{1,3}(?:is|ist|es|est|è|é)\\s{1,3}(?:\\p{L}{1,10}\\s{1,3}){1,3}?(?:${CODE_WORDS})(?=\\s{0,3}(?:$|[.,;:!?\\n])|\\s{1,3}(?:for|from|to|für|von)\\s)`,
      'giu',
    ),
    isSecret: () => true,
  },
];
