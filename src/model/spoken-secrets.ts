import type { SpokenRule } from './spoken-rule.js';

/** What people call a password; `\s` is bounded because the text is not. */
const PASSWORD_WORD =
  '(?:pass[ -]?(?:word|code)|passwd|pwd|passwor[td]|kennwort|mot de passe|contrase(?:ñ|n)a|senha|wachtwoord|hasło|heslo|jelszó|jelszav(?:am|unk)|lösenord|adgangskode|passord|salasanani?|parola[mn]?|şifre[mn]?|пароль|код доступа|κωδικός)';
const KEY_WORD =
  '(?:(?:api|access|secret|private|signing|encryption|licen[cs]e|account|auth|master)[ _-]?key|(?:api|access|auth|refresh|bearer|bot|github|gitlab|slack|deploy|session)[ _-]?token|client[ _-]?secret|secret|token|credentials?|api[ -]?schlüssel)';
/** "for the staging box", between the word and its verb. */
const PURPOSE =
  '(?:\\s{1,3}(?:for|to|of|on|für|von|vom|zum|de|del|du|des|pour|para|della|per|da|do|dla|voor|от)(?:\\s{1,3}[^\\s:=]{1,30}){1,4}?)?';
const LINK =
  "(?:\\s{0,3}(?:[:=]|->|=>)\\s{0,3}|\\s{1,3}[-–—]\\s{1,3}|['’]s\\s{1,3}|\\s{1,3}(?:is|was|are|equals|used to be|will be|has been|had been|ist|war|lautet|est|es|è|é|är|jest|on|это)(?:\\s{1,3}now|\\s{1,3}jetzt|\\s{1,3}still)?\\s{0,3}:?\\s{1,3})";

/** The words that follow "the password is" where no password follows. Longer ones end in -ed and are told by that. */
const NO_PASSWORD = new Set(
  (
    'a an the my his her their our your not no never always too very so in on at with by from for under being only ' +
    'long short weak strong longer shorter stronger weaker better worse easier harder good bad easy hard safe secure unsafe insecure unsafely wrong correct right invalid valid unknown known ' +
    'unique common simple complex random secret private public new old missing empty needed broken set kept saved stored hidden ' +
    'forgotten lost stolen written changed due case what that something nothing everything important confidential annoying ' +
    'optional mandatory enough fine okay great awful dead useless outdated obsolete rubbish sicher unsicher zu nicht kein keine lang kurz stark schwach falsch richtig geheim abgelaufen vergessen ' +
    'gespeichert geändert gesetzt gesperrt bekannt weg hinterlegt kompromittiert das der die ein eine in im trop pas long court faible fort ' +
    'sûr affiché expiré oublié perdu changé volé compromis enregistré demasiado muy no larga corta segura débil difícil caducada cambiada olvidada ' +
    'guardada robada scaduta dimenticata cambiata salvata sicura lunga expirada esquecida salva fraca forte longa слишком забыт'
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

/** "correct horse battery staple": four words or more, none of which builds a sentence. */
function isPhrase(value: string): boolean {
  const spoken = value.trim().split(/\s+/u);
  return (
    spoken.length >= 4 &&
    spoken.length <= 8 &&
    spoken.every(
      (word, place) =>
        /^\p{L}{3,12}$/u.test(word) &&
        !JOINING_WORD.test(word) &&
        !/^(?:is|was|are|be|it|its|you|your|they|has|have|had|can|will|when|since|because|if|else|again|please|only|really|just|all|every|each|some|any|one|now|then|here|there)$/iu.test(
          word,
        ) &&
        !/(?:ed|ing|ly|en)$/u.test(word) &&
        (place === 0 ? !/^(?:not|too|very|so|always|never)$/iu.test(word) : !NO_PASSWORD.has(word.toLowerCase())),
    )
  );
}

/** Letters and digits mixed, as in "hunter2"; no address, no "2-factor" and no way of logging in that has a digit in its name. */
function isTypedIn(value: string): boolean {
  const typed = value.replace(/[.,;!?)]+$/u, '');
  return (
    typed.length >= 5 &&
    /\p{L}/u.test(typed) &&
    /\d/u.test(typed) &&
    !/^[^@]+@[^@]+\.\p{L}{2,}$|:\/\/|^\d+[-\p{L}]*(?:digit|factor|step|fa|stellig\p{L}*|tap|click)s?$/iu.test(typed) &&
    !/^(?:auth0|oauth[-\d.]*|(?:office|microsoft|ms|m|o)-?365|web3\p{L}*|fido[-\d]*|u2f|saml[-\d.]*|openid[-\d.]*|1password|passkeys?\d*|yubikey\d*|x\.?509|ed25519\S*|rsa-?\d*|sha-?\d+|iphone\S*|ipad\S*|windows\d*|webauthn\d*|\p{L}\d{1,2}|v\d\S*|id_\S*)$/iu.test(
      typed,
    )
  );
}

/** Found in a sentence about a passphrase, hardly ever in one. */
const JOINING_WORD = /^(?:an?|the|in|on|at|to|of|by|with|from|too|very|so|not|that|which|my|than|for|and)$/iu;

/** What people say: a word for a secret, a verb, and the secret. The value alone is the secret. */
export const SPOKEN: readonly SpokenRule[] = [
  {
    pattern: new RegExp(`(?<!\\p{L})${PASSWORD_WORD}${PURPOSE}${LINK}(?<secret>[^\\s"'\`“”„«»\\[]{3,128})`, 'giu'),
    isSecret: isPassword,
  },
  {
    // Without quotes, words that make no sentence.
    pattern: new RegExp(
      `(?<!\\p{L})${PASSWORD_WORD}${PURPOSE}${LINK}(?<secret>\\p{L}{3,12}(?:[^\\S\\n]\\p{L}{3,12}){3,7})(?=\\s{0,3}(?:$|[.,;!?\\n]))`,
      'giu',
    ),
    isSecret: isPhrase,
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
    pattern: /(?<!\p{L})(?:pw|pass)\s{1,3}(?:is\s{0,3}:?\s{1,3})?(?<secret>[^\s"'[]{6,128})/giu,
    isSecret: (value) => looksLikeKey(value.replace(/[.,;!?)]+$/u, '')) && !/^\d/u.test(value),
  },
  {
    // "my pass is hunter2": whose it is tells it from a pass over the Alps.
    pattern:
      /(?<!\p{L})(?:my|our|the|wi-?fi|login)\s{1,3}(?:pw|pass)\s{1,3}is\s{0,3}:?\s{1,3}(?<secret>[^\s"'[]{5,128})/giu,
    isSecret: (value) => /\p{L}/u.test(value) && /\d/u.test(value) && !/^\d/u.test(value),
  },
  {
    // The same in other languages. "Clave" alone is any key, "la clave es Python3" no password.
    pattern:
      /(?<!\p{L})(?:mein|das|mon|le|mi|el|il|la mia|a minha|minha|mijn|het|mitt|mit|moje)\s{1,3}(?:mdp|pw|pass|clave|contra|psw|ww|hasło|lösen|kode)(?:\s{1,3}(?:de|del|du|von|vom|für|pour|para|per|voor|do)(?:\s{1,3}\p{L}{1,20}){1,2})?\s{1,3}(?:is|ist|est|c['’]est|es|è|é|to|är|er)\s{0,3}:?\s{1,3}(?<secret>[^\s"'[]{5,128})/giu,
    isSecret: isTypedIn,
  },
  {
    // Languages whose verb is a common word of others: "je" is French, "este" Spanish, "là" both.
    pattern:
      /(?<!\p{L})(?:hesl[oa]|jelszó|jelszav(?:am|unk)|parola(?: mea| noastră)?|lozink[ae]|zapork[ae]|geslo|mật khẩu|kata sandi|κωδικός(?: πρόσβασης)? μου|κωδικός πρόσβασης|парола(?:та)?|лозинка|slaptažodis|parole|parool)(?:\s{1,3}[^\s:=]{1,20}){0,4}?\s{1,3}(?:je|este|là|adalah|είναι|е|је|yra|ir|on)\s{0,3}:?\s{1,3}["'“„«]?(?<secret>[^\s"'“”„«»[]{5,128})/giu,
    isSecret: isTypedIn,
  },
  {
    // "I log in with hunter2", "je me connecte au wifi avec soleil42".
    pattern:
      /(?<!\p{L})(?:(?:log|logs|logged|logging|sign|signs|signed|signing)\s{1,3}(?:in|on|into|onto)|logg?e?\s{1,3}(?:ich\s{1,3})?mich|melde\s{1,3}(?:ich\s{1,3})?mich|connecte(?:r|s)?|inicio\s{1,3}sesión|(?:me\s{1,3})?(?:logueo|conecto)|entro|accedo|acedo|acesso|collego|faço\s{1,3}login|faccio\s{1,3}(?:il\s{1,3})?login|log\s{1,3}(?:ik\s{1,3})?in|loggar\s{1,3}in|logger\s{1,3}inn?d?|loguję\s{1,3}się)(?:\s{1,3}[^\s:=]{1,30}){0,5}?\s{1,3}(?:with|using|mit|avec|con|com|met|med|hasłem)\s{1,3}["'“„«]?(?<secret>[^\s"'“”„«»[]{5,128})/giu,
    isSecret: isTypedIn,
  },
  {
    // "my login is bob:hunter2"
    pattern:
      /(?<!\p{L})(?:log-?in|credentials|creds|zugangsdaten|identifiants|credenciales|credenziali|acesso)(?:\s{1,3}(?:is|are|sind|sont|son|sono|é))?\s{0,3}:?\s{1,3}[^\s/:]{2,60}:(?<secret>[^\s"'[/:]{5,128})/giu,
    isSecret: isTypedIn,
  },
  {
    // "login: bob / hunter2"
    pattern:
      /(?<!\p{L})(?:log-?in|credentials|creds|zugangsdaten)(?:\s{1,3}(?:is|are|sind))?\s{0,3}:?\s{1,3}[^\s/]{2,60}\s{0,2}\/\s{0,2}(?<secret>[^\s"'[/]{5,128})/giu,
    isSecret: (value) => /\p{L}/u.test(value) && /\d/u.test(value),
  },
  {
    // Thai and Hebrew put it behind the word too.
    pattern:
      /(?:รหัสผ่าน|סיסמ[האת])[^\s!-~]{0,20}[^\S\n]{0,3}(?:[^\s!-~]{1,15}[^\S\n]{1,3}){0,3}(?<secret>[!-Z\\^-~]{4,128})/giu,
    isSecret: isTypedIn,
  },
  {
    // Persian and Arabic put whose it is behind the word; Polish has a verb of its own.
    pattern:
      /(?:رمز عبور|گذرواژه|پسورد|كلمة (?:المرور|السر)|كلمة مرور|hasło)\S{0,6}\s{1,3}(?:[^\s!-~]{1,15}\s{1,3}){0,3}(?:(?:do \S{1,20}\s{1,3})?to\s{1,3})?(?<secret>[!-Z\\^-~]{4,128})/giu,
    isSecret: (value) => looksMade(value) && /[\p{L}\d]/u.test(value),
  },
  {
    // Codes that let somebody in who has lost the other key.
    pattern:
      /(?<!\p{L})(?:recovery|backup|rescue|emergency|wiederherstellungs)[ -]?codes?(?:\s{0,3}[:=]\s{0,3}|\s{1,3}(?:(?:is|are|lautet|lauten)\s{1,3})?)(?<secret>[a-z0-9]{4,12}(?:[- ][a-z0-9]{3,12}){0,20})(?![\p{L}\d])/giu,
    isSecret: (value) => /\d/u.test(value) && /^[a-z0-9]{2,}-[a-z0-9]|\d\p{L}.*\d/iu.test(value),
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
      /(?<![A-Za-z0-9])(?:\w{0,40}_)?(?:password|passwd|pwd|secret|token|api_?key|accountkey|(?:shared_?)?access_?key|private_?key)["']?=["']?(?<secret>[^\s"',;&[]{4,512})/giu,
    isSecret: () => true,
  },
  {
    pattern: new RegExp(
      `(?<!\\p{L})(?:changed|set|reset|updated)\\s{1,3}(?:\\p{L}{1,20}\\s{1,3}){0,3}?${PASSWORD_WORD}${PURPOSE}\\s{1,3}to\\s{1,3}(?<secret>[^\\s"'\\[]{3,128})`,
      'giu',
    ),
    isSecret: isPassword,
  },
];
