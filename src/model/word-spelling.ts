/** Joiners inside a word: with them and without is how the same word is typed. */
const JOINERS = /[\u200C\u200D]/gu;

/** Letters of one sound that Arabic and Persian keyboards have as different signs, and that are left out or confused. */
const ARABIC: Readonly<Record<string, string>> = {
  '\u0629': '\u0647', // taa marbuta, written as haa
  '\u0649': '\u064A', // alef maksura, and the yaa of Persian
  '\u06CC': '\u064A',
  '\u06A9': '\u0643', // the kaf of Persian
};
const ARABIC_LETTER = new RegExp(`[${Object.keys(ARABIC).join('')}]`, 'gu');

/** A nasal before a consonant of its row is a letter or a dot, as the writer likes: "हिन्दी" and "हिंदी". */
const NASAL = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|ँ/gu;
const ANUSVARA = 'ं';

interface Particle {
  readonly form: string;
  /** What the syllable before it ends in, where it matters: "이" stands in 서울이, "가" in 학교가. */
  readonly behind?: 'consonant' | 'vowel';
  /** Syllables that have to stand before it; one that ends many a short noun asks for more. */
  readonly least: 1 | 2;
}

const particles = (forms: string, rest: Omit<Particle, 'form'>): Particle[] =>
  forms.split(' ').map((form) => ({ form, ...rest }));

/** Particles of Korean, long ones first. */
const PARTICLES: readonly Particle[] = [
  ...particles('에게서 한테서', { least: 1 }),
  ...particles('입니다 이에요', { behind: 'consonant', least: 1 }),
  ...particles('에서 에게 한테 께서 까지 부터 보다 처럼 마다 조차 마저 밖에 하고', { least: 1 }),
  ...particles('이랑 이나 으로', { behind: 'consonant', least: 1 }),
  ...particles('예요', { behind: 'vowel', least: 1 }),
  ...particles('들 에', { least: 1 }),
  ...particles('은 을', { behind: 'consonant', least: 1 }),
  ...particles('는 를 랑', { behind: 'vowel', least: 1 }),
  ...particles('의 도 만 께', { least: 2 }),
  ...particles('이 과', { behind: 'consonant', least: 2 }),
  ...particles('가 와 나 로', { behind: 'vowel', least: 2 }),
];

const FIRST_SYLLABLE = '가'.charCodeAt(0);
/** Syllables of one beginning: one without a final consonant, then 27 with. */
const FINALS = 28;
/** Place of the final ㄹ, behind which "로" stands as behind a vowel. */
const FINAL_RIEUL = 8;

function fits(stem: string, { form, behind, least }: Particle): boolean {
  if (stem.length < least) return false;
  const final = (stem.charCodeAt(stem.length - 1) - FIRST_SYLLABLE) % FINALS;
  if (form === '로' && final === FINAL_RIEUL) return true;
  return behind === undefined || (behind === 'vowel') === (final === 0);
}

function withoutParticle(word: string): string {
  for (const particle of PARTICLES) {
    const stem = word.slice(0, -particle.form.length);
    if (word.endsWith(particle.form) && fits(stem, particle)) return stem;
  }
  return word;
}

/** A noun of Korean without the particles that hang on it; what only looks like one loses the same wherever it stands. */
function withoutParticles(word: string): string {
  for (let before = word; ; before = word) {
    word = withoutParticle(before);
    if (word === before) return word;
  }
}

/**
 * A word as it is searched: in one of the spellings that its script has for it. Which of them stands in a text is chance
 * (the keyboard, the habit), and in Korean what the word does in its sentence.
 *
 * @param word in NFC and folded case
 */
export function oneSpelling(word: string): string {
  // eslint-disable-next-line no-control-regex -- most words are ASCII, and have one spelling
  if (/^[\x00-\x7F]*$/.test(word)) return word;
  const spelled = word
    .replace(JOINERS, '')
    .replace(ARABIC_LETTER, (letter) => ARABIC[letter] ?? letter)
    .replace(NASAL, ANUSVARA);
  return /^[가-힣]+$/u.test(spelled) ? withoutParticles(spelled) : spelled;
}
