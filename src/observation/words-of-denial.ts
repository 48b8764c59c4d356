import { words } from '../model/search-text.js';

/** Words that turn a sentence into its denial, in the languages that have such words. */
const DENIAL = new Set(
  (
    'not no never none cannot nicht kein keine keinen keinem keiner keines nie niemals ne pas jamais nunca jamás tampoco non ' +
    'mai não nem niet geen nooit inte ingen aldrig ikke nigdy не нет никогда δεν لا ليس لم नहीं 不 没 没有'
  ).split(' '),
);

/** "not", "kein", "jamais", and whatever ends as "don't" does. */
export function isWordOfDenial(word: string): boolean {
  return DENIAL.has(word) || /n['\u2019]t$/u.test(word);
}

/** Whether a sentence denies something in so many words. */
export function deniesInWords(sentence: string): boolean {
  return words(sentence).some(isWordOfDenial);
}
