import { describe, expect, it } from '@jest/globals';
import { ProviderError } from '../../errors/provider-error.js';
import { combine, documentForms, queryForms } from './sentence-forms.js';

describe('documentForms', () => {
  it.each([
    ['Deploys on Fly.io', 'I deploy on Fly.io'],
    ['Is vegetarian', 'I am vegetarian'],
    ['Has two cats', 'I have two cats'],
    ['Studies law', 'I study law'],
    ['Teaches Spanish', 'I teach Spanish'],
    ['Likes sports', 'I like sports'],
  ])('reads %j also as %j', (sentence, said) => {
    expect(documentForms(sentence)).toEqual([sentence, said]);
  });

  it.each(['James has two dogs', 'The office closes at six', 'Thomas moved to Rome', 'Vegan', 'James: hello'])(
    'leaves %j as it is',
    (sentence) => {
      expect(documentForms(sentence)).toEqual([sentence]);
    },
  );

  it('reads a long text in pieces that the model can read whole', () => {
    const forms = documentForms('Likes walks in the hills. '.repeat(100));
    expect(forms.length).toBeGreaterThan(1);
    for (const form of forms) expect(form.length).toBeLessThanOrEqual(500);
  });

  it('stops reading a text that does not end', () => {
    expect(documentForms('x'.repeat(100_000))).toHaveLength(8);
  });

  it('finds nothing in a blank text, or one of NUL bytes', () => {
    expect(documentForms(' \n ')).toEqual([]);
    expect(documentForms('\u0000')).toEqual([]);
  });
});

describe('queryForms', () => {
  it.each([
    ['Why am I being rate limited?', 'I am being rate limited'],
    ['What should I cook tonight?', 'I cook tonight'],
    ['How do I test the checkout?', 'I test the checkout'],
    ['Why is my server slow?', 'My server is slow'],
    ['Can I eat this?', 'I eat this'],
  ])('reads %j also as %j', (question, statement) => {
    expect(queryForms(question)).toEqual([question, statement]);
  });

  it.each(['Where do I live?', 'Which hosting provider do I use?', 'What is the capital of France?', 'diet'])(
    'leaves %j, which looks something up, as it is',
    (question) => {
      expect(queryForms(question)).toEqual([question]);
    },
  );

  it('passes over a greeting', () => {
    expect(queryForms('Hi there! Thanks. Where do I live?')).toEqual(['Where do I live?']);
  });
});

describe('combine', () => {
  it('gives the mean as a unit vector', () => {
    const mean = combine(
      [
        [1, 0],
        [0, 1],
      ],
      2,
    );
    for (const value of mean) expect(value).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it.each([
    ['a wrong length', [[1, 0, 0]]],
    ['a number that is not finite', [[Number.NaN, 1]]],
    ['nothing but zeros', [[0, 0]]],
    ['no vector', []],
  ])('refuses %s', (_, vectors) => {
    expect(() => combine(vectors, 2)).toThrow(ProviderError);
  });
});
