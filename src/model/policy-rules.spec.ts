import { describe, expect, it } from '@jest/globals';
import { findSecrets, maskSecrets, plainText, SECRET_MASK } from './policy-rules.js';

/** Put together here, so that no scanner takes this file for a leak. */
const shape = (...parts: string[]): string => parts.join('');
const ALNUM = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6';

/** Text, then what remains of it once masked. */
const SECRETS: readonly (readonly [string, string])[] = [
  [`AWS key is ${shape('AK', 'IAIOSFODNN7EXAMPLE')}`, `AWS key is ${SECRET_MASK}`],
  [`Uses ${shape('AS', 'IA', 'Q3EGRTZ5UOPMNLKJ')} here`, `Uses ${SECRET_MASK} here`],
  [shape('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJ', 'zdWIiOiIxMjM0In0', '.', ALNUM), SECRET_MASK],
  [shape('eyJ', 'hbGciOiJub25lIn0', '.eyJ', 'zdWIiOiIxIn0', '.'), SECRET_MASK],
  [`Authorization: Bearer ${ALNUM}`, `Authorization: Bearer ${SECRET_MASK}`],
  [`sends bearer ${ALNUM.slice(0, 16)} along`, `sends bearer ${SECRET_MASK} along`],
  ['curl -H "Authorization: Basic dXNlcjpwYXNz"', `curl -H "Authorization: Basic ${SECRET_MASK}"`],
  [`Stripe ${shape('sk_', 'live_', ALNUM.slice(0, 24))}`, `Stripe ${SECRET_MASK}`],
  [`Stripe ${shape('rk_', 'live_', ALNUM.slice(0, 12))}.`, `Stripe ${SECRET_MASK}.`],
  [`Maps key ${shape('AI', 'za', 'Sy', ALNUM.slice(0, 33))}`, `Maps key ${SECRET_MASK}`],
  [shape('sk-', 'proj-', ALNUM), SECRET_MASK],
  [shape('sk-', 'proj-', 'abc123def456'), SECRET_MASK],
  [`Claude ${shape('sk-', 'ant-', 'api03-', ALNUM)}`, `Claude ${SECRET_MASK}`],
  [`key ${shape('sk-', '1234567890abcdef')}`, `key ${SECRET_MASK}`],
  [shape('gh', 'p_', ALNUM), SECRET_MASK],
  [shape('github_', 'pat_', ALNUM), SECRET_MASK],
  [shape('gl', 'pat-', ALNUM.slice(0, 20)), SECRET_MASK],
  [shape('xo', 'xb-', '123456789012-', ALNUM), SECRET_MASK],
  [`https://${shape('hooks.', 'slack.com')}/services/T00/B00/XXXX`, `https://${SECRET_MASK}`],
  [shape('hf', '_', ALNUM), SECRET_MASK],
  ['postgres://app:hunter2@db.internal/app', `postgres://app:${SECRET_MASK}@db.internal/app`],
  ['redis://:s3cret@10.0.0.1:6379', `redis://:${SECRET_MASK}@10.0.0.1:6379`],
  ['amqps://u:p%40ss@mq', `amqps://u:${SECRET_MASK}@mq`],
  ['my password is hunter2', `my password is ${SECRET_MASK}`],
  ['My password is swordfish.', `My password is ${SECRET_MASK}`],
  ['the wifi password is bananas and I live in Ulm', `the wifi password is ${SECRET_MASK} and I live in Ulm`],
  ['The password for the staging box is Tr0ub4dor&3', `The password for the staging box is ${SECRET_MASK}`],
  ["User's password: S3cure!Pass", `User's password: ${SECRET_MASK}`],
  ['passwort ist Geheim99', `passwort ist ${SECRET_MASK}`],
  ['Mein Passwort lautet Sonnenblume', `Mein Passwort lautet ${SECRET_MASK}`],
  ['mi contraseña es perro123', `mi contraseña es ${SECRET_MASK}`],
  ['mot de passe : soleil42', `mot de passe : ${SECRET_MASK}`],
  ['password is "correct horse battery"', `password is "${SECRET_MASK}"`],
  ['I use hunter2 as my password', `I use ${SECRET_MASK} as my password`],
  ['Uses hunter2 as the wifi password', `Uses ${SECRET_MASK} as the wifi password`],
  ['log in with password hunter2', `log in with password ${SECRET_MASK}`],
  ['I changed my password to Swordfish', `I changed my password to ${SECRET_MASK}`],
  ['my passphrase is correct horse battery staple', `my passphrase is ${SECRET_MASK}`],
  ['The seed phrase is witch collapse practice feed', `The seed phrase is ${SECRET_MASK}`],
  ["The password's hunter2", `The password's ${SECRET_MASK}`],
  ['pw: hunter22', `pw: ${SECRET_MASK}`],
  ['Password - letmein99', `Password - ${SECRET_MASK}`],
  ['the pw is Tr0ub4dor&3', `the pw is ${SECRET_MASK}`],
  ['user bob pass hunter2x!', `user bob pass ${SECRET_MASK}`],
  ['API key 9f86d081884c7d659a2feaa0c55ad015', `API key ${SECRET_MASK}`],
  ['The wifi password "blue fish tank" works', `The wifi password "${SECRET_MASK}" works`],
  ['мой пароль: Qwerty123', `мой пароль: ${SECRET_MASK}`],
  ['hasło: Zima2024', `hasło: ${SECRET_MASK}`],
  ['şifre: kedi1234', `şifre: ${SECRET_MASK}`],
  ['密码是 abc12345', `密码是 ${SECRET_MASK}`],
  ['私のパスワードはabc12345です', `私のパスワードは${SECRET_MASK}です`],
  ['비밀번호는 abc12345', `비밀번호는 ${SECRET_MASK}`],
  ['DB_PASSWORD=hunter', `DB_PASSWORD=${SECRET_MASK}`],
  ['https://x.test/?token=abcdef&a=1', `https://x.test/?token=${SECRET_MASK}&a=1`],
  [`My API key is ${ALNUM.slice(0, 12)}`, `My API key is ${SECRET_MASK}`],
  [`"client_secret": "${ALNUM}"`, `"client_secret": "${SECRET_MASK}"`],
  ['My PIN is 4821', `My PIN is ${SECRET_MASK}`],
  ['card pin 4821', `card pin ${SECRET_MASK}`],
  ['CVV: 123', `CVV: ${SECRET_MASK}`],
  ['The verification code is 918273', `The verification code is ${SECRET_MASK}`],
  ['The door code for the office is 2580', `The door code for the office is ${SECRET_MASK}`],
  ['Pays with 4111 1111 1111 1111', `Pays with ${SECRET_MASK}`],
  ['Amex 3782-822463-10005 on file', `Amex ${SECRET_MASK} on file`],
  ['card 5555555555554444', `card ${SECRET_MASK}`],
  ['IBAN DE89 3704 0044 0532 0130 00', `IBAN ${SECRET_MASK}`],
  ['Account GB82WEST12345698765432', `Account ${SECRET_MASK}`],
  ['account es91 2100 0418 4502 0005 1332 is mine', `account ${SECRET_MASK} is mine`],
  ['IBAN: NO93-8601-1117-947', `IBAN: ${SECRET_MASK}`],
  ['card 4242.4242.4242.4242', `card ${SECRET_MASK}`],
  ['Mein Einmalcode ist 482913', `Mein Einmalcode ist ${SECRET_MASK}`],
  ['Die SMS-TAN lautet 884213', `Die SMS-TAN lautet ${SECRET_MASK}`],
  ['mi código de verificación es 482913', `mi código de verificación es ${SECRET_MASK}`],
  ['Mon code de la porte est 1234', `Mon code de la porte est ${SECRET_MASK}`],
  ['il mio PIN è 4711', `il mio PIN è ${SECRET_MASK}`],
  ['код подтверждения 482913', `код подтверждения ${SECRET_MASK}`],
  ['验证码是482913', `验证码是${SECRET_MASK}`],
  ['認証コードは482913です', `認証コードは${SECRET_MASK}です`],
  ['رمز التحقق هو 482913', `رمز التحقق هو ${SECRET_MASK}`],
  ['my login code is 48-29-13', `my login code is ${SECRET_MASK}`],
  ['G-482913 is your Google verification code', `${SECRET_MASK} is your Google verification code`],
  ['recovery codes: 1a2b-3c4d 5e6f-7g8h', `recovery codes: ${SECRET_MASK}`],
  ['my password is correct horse battery staple', `my password is ${SECRET_MASK}`],
  ['la contraseña del wifi es gatoazul', `la contraseña del wifi es ${SECRET_MASK}`],
  ['my password used to be hunter2', `my password used to be ${SECRET_MASK}`],
  ['رمز عبور من Tehran1402 است', `رمز عبور من ${SECRET_MASK} است`],
  ['wifi: my pass is kitty9', `wifi: my pass is ${SECRET_MASK}`],
  ['login: bob / hunter2', `login: bob / ${SECRET_MASK}`],
  ['mysql -u root -phunter2 shop', `mysql -u root -p${SECRET_MASK} shop`],
  ['curl -u bob:hunter2 https://x.test', `curl -u bob:${SECRET_MASK} https://x.test`],
  ['node app.js --password=hunter2', `node app.js --password=${SECRET_MASK}`],
  [`Vault ${shape('hv', 's.', ALNUM)}`, `Vault ${SECRET_MASK}`],
  [`Docker ${shape('dckr', '_pat_', ALNUM)}`, `Docker ${SECRET_MASK}`],
  [`Notion ${shape('ntn', '_', ALNUM)}`, `Notion ${SECRET_MASK}`],
  [`Tailscale ${shape('tskey-', 'auth-', ALNUM)}`, `Tailscale ${SECRET_MASK}`],
  [`https://${shape('discord.com', '/api/webhooks/')}123456789012345678/${ALNUM}`, `https://${SECRET_MASK}`],
  [shape('-----BEGIN ', 'PRIVATE KEY-----\nMIIB\n-----END ', 'PRIVATE KEY----- ok'), `${SECRET_MASK} ok`],
  [shape('x -----BEGIN ', 'OPENSSH PRIVATE KEY-----\nb3Blbn'), `x ${SECRET_MASK}`],
];

const HARMLESS: readonly string[] = [
  'Prefers password managers',
  'Is allergic to API keys jokes',
  'Secret Santa is in December',
  'Keeps the Bearer of the Ring as favourite title',
  'Order 550e8400-e29b-41d4-a716-446655440000 was late',
  'Fixed in commit da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'Phone number is +49 151 23456789',
  'Call 555-123-4567 after 18:00',
  'Uses a passphrase instead of a password',
  'My password is too long',
  'Thinks her password is fine',
  'Password - required',
  'My passphrase is stored in the vault',
  'My passphrase is a line from a song',
  'The password is stored in 1Password',
  'My password is not working',
  'Password is required',
  'Thinks a password is enough',
  'Wants the password field to be 12 characters',
  'Stores every password in KeePassXC',
  'Moved each password to Bitwarden',
  'Uses 1Password as a password manager',
  'Forgot what the wifi password was',
  'API keys are rotated every 90 days',
  'The API key is kept in Vault',
  'The token limit is 128000 tokens',
  'Token expiry is 15 minutes',
  'The secret is PostgreSQL16',
  'Her secret is more butter',
  'Credentials are managed by Okta',
  'Born on 1990-04-12, moved in 2015',
  'Postgres runs at postgres://localhost:5432/app',
  'Visits https://example.com:8080/path@home',
  'Mail is ada@example.com',
  'Clones git@github.com:ada/engine.git',
  'The PIN is 4 digits',
  'Pinned version 4821 of the doc',
  'Leaves from gate 123',
  'Lives behind door 4821',
  'Likes sk-learn more than PyTorch',
  'Uses sk-learn-based-pipelines-2024',
  'Tracking number 1234567890123456',
  'Timestamp 1718000000000',
  'ISBN 978-3-16-148410-0',
  'Latitude 48.40108, longitude 9.98761',
  'Uses AWS in eu-central-1',
  'AKIA is a prefix of AWS keys',
  'Stripe test mode starts with sk_test_',
  'Drives a car with VIN WVWZZZ1JZXW000001',
  'Invoice GB82WEST12345698765433',
  'Bearer tokens confuse her',
  'Prefers JWT over sessions',
  'Said the meeting code is green',
  'Favourite film is The Secret of NIMH',
  'Keeps tokens=4 in mind',
  'Plays bass at 120 bpm',
  'Sends the password to Bob.',
  'The passphrase is a haiku',
  'Has a season pass 2024-2025',
  'The bus pass is in the drawer',
  'Wants API token rotation-every-90-days',
  'Uses the GitHub token authentication flow',
  '密码管理器是 Bitwarden',
  '使っているパスワードマネージャーは1Passwordです',
  'пароль слишком длинный',
  'Works on the password-reset page2',
  'My password used to be longer',
  'Le mot de passe du wifi est affiché',
  'La contraseña de mi hermano es difícil',
  'Mein Passwort ist gespeichert',
  'The password is hard to remember at night',
  'my password is always changed every month',
  'Uses passes from login page / signup page2',
  'backup code base64 library',
  'The security code review took 300 hours',
  'Uses GPIO pin 17',
  'Fehlercode 500',
  'código de descuento VERANO24',
  'Tan lines since 2024',
  '2024 is my lucky year',
  '我的手机号是13800138000',
  'رمز التحقق لم يصل',
  'Lives near postcode SE24 9AA London',
  'Uuid fr27a1b2-c3d4-e5f6-a7b8-c9d0e1f2a3b4',
  'Runs mysql 8 with -p option',
];

const mask = (text: string): string => maskSecrets(text, findSecrets(text));

describe('findSecrets', () => {
  it.each(SECRETS)('masks %j', (text, masked) => {
    expect(mask(text)).toBe(masked);
  });

  it.each(SECRETS)('finds nothing more in what is left of %j', (_text, masked) => {
    expect(mask(masked)).toBe(masked);
  });

  it.each(HARMLESS)('lets %j pass', (text) => {
    expect(mask(text)).toBe(text);
  });

  it('finds a secret in the middle of a long text, and each of several', () => {
    const filler = 'Lives in Ulm and likes tea. '.repeat(200);
    const text = `${filler}my password is hunter2 ${filler}PIN: 4821 ${filler}`;
    expect(mask(text)).toBe(`${filler}my password is [secret] ${filler}PIN: [secret] ${filler}`);
  });
});

describe('findSecrets in long hostile text', () => {
  const pieces = [
    'a',
    '1',
    ' ',
    '-',
    '_',
    '.',
    '=',
    '"',
    '1 ',
    '4-',
    'a.',
    'eyJ',
    '-eyJaaaaaaaa',
    'eyJaaaaaaaa.',
    'sk-',
    'bearer ',
    'bearer a',
    'password ',
    'password is ',
    'password for a ',
    'password to aa ',
    'password:',
    'token for x ',
    'pin for a ',
    'secret=',
    'a://',
    'a://b:',
    'http://a:b',
    '-----BEGIN PRIVATE KEY-----"',
    '-----BEGIN ',
    'AA11 ',
    'AA11AAAA',
    'as password ',
    'x_',
    'set my password ',
    'seed phrase is a ',
    'ya29.',
    'authorization: ',
    'é',
    'hf_',
    'SG.a',
    'curl -u a',
    'mysql ',
    'recovery code a1b2 ',
    'login: a/',
    'my pass is ',
    'password is aaa bbb ',
    'رمز عبور من ',
    'کد تایید ',
    'es91 2100 ',
    '1234 is your ',
    '12-',
    'code de ',
  ];

  // A pattern that backtracks would run for minutes here.
  it.each(pieces)('reads 100 KB of %j', (piece) => {
    const text = `${piece.repeat(Math.ceil(100_000 / piece.length))} my PIN is 4821`;
    expect(mask(text)).not.toMatch(/ 4821$/u);
  });
});

describe('maskSecrets', () => {
  it('makes one mask of overlapping spans and keeps neighbours apart', () => {
    const text = 'abcdefghij';
    expect(
      maskSecrets(text, [
        { start: 4, end: 6 },
        { start: 2, end: 5 },
      ]),
    ).toBe('ab[secret]ghij');
    expect(
      maskSecrets(text, [
        { start: 0, end: 10 },
        { start: 3, end: 4 },
      ]),
    ).toBe('[secret]');
    expect(maskSecrets(text, [])).toBe(text);
  });
});

describe('plainText', () => {
  it('undoes fullwidth letters and invisible characters', () => {
    expect(plainText('my pass\u200Bword is ｈｕｎｔｅｒ２\u00AD')).toBe('my password is hunter2');
  });

  it('writes the digits of other scripts as ASCII ones', () => {
    expect(plainText('٠١٩ ۰۱۹ ०१९')).toBe('019 019 019');
  });
});
