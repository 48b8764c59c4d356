import { describe, expect, it } from '@jest/globals';
import { canonicalValue, clausesOf, parseStatement } from './statement.js';
import type { Statement } from './statement.js';

describe('a memory taken apart', () => {
  it.each<[string, Partial<Statement>]>([
    ['Is on the Pro plan', { subject: 'user', predicate: 'plan', value: 'pro', negated: false, single: true }],
    ['The user lives in Berlin.', { subject: 'user', predicate: 'residence', value: 'berlin', single: true }],
    ['Prefers short answers', { predicate: 'answer length', value: 'short', single: true }],
    ['Uses Postgres 16', { predicate: 'use', value: 'postgres 16', single: false }],
    ['Does not like noodles', { predicate: 'like', value: 'noodles', negated: true, single: false }],
    ['Can’t stand noodles', { predicate: 'like', value: 'noodles', negated: true }],
    ['Has a dog called Rex', { subject: 'user', predicate: 'have dog', value: 'rex', single: false }],
    ['App is called Ledgerly', { subject: 'user', predicate: 'have app', value: 'ledgerly', single: false }],
    ["Wife's name is Anna", { subject: 'user', predicate: 'have wife', value: 'anna', single: true }],
    ['Anna lives in Rome', { subject: 'anna', predicate: 'residence', value: 'rome', single: true }],
    ['Friend lives in Rome', { subject: 'friend', predicate: 'residence', single: false }],
    ['Also works at Bosch', { predicate: 'employer', value: 'bosch', additional: true }],
    ['Works at Siemens as an engineer', { predicate: 'employer', value: 'siemens', detail: 'as engineer' }],
    ['Uses Render instead of Heroku', { predicate: 'use', value: 'render', replaces: 'heroku' }],
    ['No longer uses Heroku', { predicate: 'use', value: 'heroku', negated: true }],
    ['Has stopped eating meat', { predicate: 'eat', value: 'meat', negated: true }],
    ['Is not vegetarian', { predicate: 'diet', value: 'vegetarian', negated: true }],
    ['Favorite color is blue', { predicate: 'favourite colour', value: 'blue', single: true }],
    ['Has three cats', { predicate: 'number of cat', value: '3', single: true }],
  ])('reads %j', (content, expected) => {
    expect(parseStatement(content)).toMatchObject(expected);
  });

  it.each([
    '',
    '   ',
    'Lives in Berlin and works at Siemens',
    'Lives in Berlin. Works at Siemens.',
    'Would live in Rome if the job allowed it',
    'Which plan is it?',
    'Ledgerly',
    'Was on the Pro plan until March',
    'Lebt in Berlin',
    '住在北京',
    '\u0000\uFFFF',
    `${'a'.repeat(499)}s`,
  ])('claims nothing of %j', (content) => {
    expect(parseStatement(content)).toBeNull();
  });

  it.each([
    ['Lives in Berlin and works at Siemens', ['Lives in Berlin', 'works at Siemens']],
    ['Likes tea and coffee', ['Likes tea and coffee']],
    ['Lives in Berlin. Works at Siemens.', ['Lives in Berlin', 'Works at Siemens']],
  ])('finds the statements in %j', (content, clauses) => {
    expect(clausesOf(content)).toEqual(clauses);
  });

  it.each([
    ['The Beatles', 'beatles'],
    ['a “dark” roast,', 'dark roast'],
    ['Fly.io', 'fly.io'],
  ])('takes %j for the value %j', (written, value) => {
    expect(canonicalValue(written)).toBe(value);
  });
});
