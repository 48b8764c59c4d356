import { describe, expect, it } from '@jest/globals';
import { deniesInWords } from './words-of-denial.js';

describe('deniesInWords', () => {
  it.each([
    'Does not like tea',
    "I don't like tea",
    'I don\u2019t like tea',
    "I shouldn't eat nuts",
    'No longer works at Siemens',
    'Ich mag keinen Tee',
    "Je n'aime pas le thé",
    'Eu não gosto de chá',
    'Non mi piace il tè',
    'Я не люблю чай',
    '我没有猫',
  ])('hears %j', (sentence) => {
    expect(deniesInWords(sentence)).toBe(true);
  });

  it.each(['Likes tea', 'Prefers longer answers', 'Ich mag Tee', "J'aime le thé", 'Lives in Norwich', "Ana's cat"])(
    'hears none in %j',
    (sentence) => {
      expect(deniesInWords(sentence)).toBe(false);
    },
  );
});
