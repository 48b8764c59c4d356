import { describe, expect, it } from '@jest/globals';
import { isSmallTalk, wordsAfterSmallTalk } from './small-talk.js';

describe('isSmallTalk', () => {
  it.each([
    'hi there',
    'Hello!',
    'Heyyyy',
    'ok thanks',
    'Okay, great, thank you so much!',
    'good morning',
    'Good morning everyone :)',
    'lol',
    'hahahahaha',
    'Hmmm...',
    'hey, how’s it going?',
    "What's up?",
    'bye, talk to you later',
    'thanks, you too',
    '👍',
    '...',
    'Danke schön',
    '你好',
  ])('knows %j for small talk', (text) => {
    expect(isSmallTalk(text)).toBe(true);
  });

  it.each([
    "Hi, I'm vegetarian",
    'Hello, which hosting provider do I use?',
    'thanks, and my birthday is in May',
    'ok so I moved to Berlin',
    'Good morning is my favourite song',
    "I'm good at chess",
    'there',
    'yes',
    'no',
    'Fly.io',
    'vegan',
    'test driven development',
    'I love you can eat buffets',
    'see you at the Paris office',
    'me gusta el café',
    '素食',
    '42',
    '',
    '   ',
  ])('lets %j through', (text) => {
    expect(isSmallTalk(text)).toBe(false);
  });
});

describe('wordsAfterSmallTalk', () => {
  it('keeps what is said after a greeting', () => {
    expect(wordsAfterSmallTalk('Hi there! Which host do I use?')).toEqual(['which', 'host', 'do', 'i', 'use']);
  });

  it('keeps all of a text that does not greet', () => {
    expect(wordsAfterSmallTalk('Which host?')).toEqual(['which', 'host']);
  });
});
