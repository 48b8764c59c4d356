import { describe, expect, it } from '@jest/globals';
import { isSearchable } from './searchable-query.js';

describe('isSearchable', () => {
  it.each([
    'Why am I being rate limited?',
    'What should I cook tonight?',
    'Hi there! Which hosting provider do I use?',
    'Write a birthday card for my sister',
    'Suggest a restaurant',
    'recommend something to read',
    'the office wifi',
    'diet',
    'dinner ideas for tonight',
    'Who told me about the offer?',
  ])('lets %j be compared by meaning', (query) => {
    expect(isSearchable(query)).toBe(true);
  });

  it.each([
    'hi there',
    'ok thanks',
    'Summarize this text',
    'please translate it into French',
    'Can you make it shorter?',
    'continue',
    'tell me a joke',
    'Yes please',
    'wow, that was fast',
    'What is the capital of France?',
    'how does photosynthesis work',
    'Is the earth round?',
    'Perfect, exactly what was needed',
    'Ok great, now rewrite it',
  ])('leaves %j to words alone', (query) => {
    expect(isSearchable(query)).toBe(false);
  });
});
