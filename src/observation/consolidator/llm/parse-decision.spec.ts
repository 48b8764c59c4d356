import { describe, expect, it } from '@jest/globals';
import type { Candidate } from '../../../model/decision.js';
import { MalformedAnswerError } from '../../json-answer.js';
import { parseDecision } from './parse-decision.js';

const candidate: Candidate = { content: 'Is on the Enterprise plan', kind: 'fact', importance: 0.5, messageNo: 0 };
const offered = new Map([
  ['1', { memoryId: 'id-of-one', content: 'Uses the Pro tier', near: true }],
  ['2', { memoryId: 'id-of-two', content: 'Is on the Pro plan', near: false }],
  ['3', { memoryId: 'id-of-three', content: 'Is allergic to peanuts', near: false }],
]);
const parse = (answer: unknown): ReturnType<typeof parseDecision> =>
  parseDecision(typeof answer === 'string' ? answer : JSON.stringify(answer), candidate, offered, 60);

describe('parseDecision', () => {
  it('turns an alias back into an id', () => {
    expect(parse({ action: 'update', memory: '2', content: 'Is on Enterprise' })).toEqual({
      action: 'update',
      candidate,
      memoryId: 'id-of-two',
      content: 'Is on Enterprise',
    });
  });

  it.each(['2', ' 2 ', '#2', '[2]', '(2)', 'memory 2'])('reads the alias %j', (memory) => {
    expect(parse({ action: 'forget', memory })).toMatchObject({ memoryId: 'id-of-two' });
  });

  it.each(['forget', 'update', 'noop'])('adds instead of a %s of what the statement cannot be about', (action) => {
    expect(parse({ action, memory: '3', content: 'Is on the Enterprise plan' })).toEqual({ action: 'add', candidate });
  });

  it.each([
    ['was made up', 'Likes parrots and jungles'],
    ['is the memory itself', 'Is on the Pro plan'],
  ])('stores the statement where the new sentence %s', (_, content) => {
    expect(parse({ action: 'update', memory: '2', content })).toMatchObject({ content: candidate.content });
  });

  it('stores the statement where the new sentence lost its number', () => {
    const weighs = { ...candidate, content: 'Weighs 77 kilos' };
    const known = new Map([['1', { memoryId: 'id', content: 'Weighs 80 kilos and runs', near: false }]]);
    const text = (content: string): unknown =>
      parseDecision(JSON.stringify({ action: 'update', memory: '1', content }), weighs, known, 60);
    expect(text('Weighs less and runs')).toMatchObject({ content: 'Weighs 77 kilos' });
    expect(text('Weighs 77 kilos and runs')).toMatchObject({ content: 'Weighs 77 kilos and runs' });
  });

  it('reads a numeric alias and a shouted action', () => {
    expect(parse({ action: 'FORGET', memory: 1 })).toEqual({ action: 'forget', candidate, memoryId: 'id-of-one' });
  });

  it.each([[{ content: null }], [{ content: '  ' }], [{ content: 7 }], [{ content: 'x'.repeat(61) }]])(
    'falls back to the statement itself for the content %j',
    (fields) => {
      expect(parse({ action: 'update', memory: '1', ...fields })).toMatchObject({ content: candidate.content });
    },
  );

  it.each([
    '4',
    '0',
    -1,
    1.5,
    '1.0',
    'one',
    ['1'],
    '1, 2',
    'id-of-one',
    '018f0000-0000-7000-8000-000000000000',
    '',
    null,
    {},
    '__proto__',
    'constructor',
  ])('skips an update or forget of %j, which was not offered', (memory) => {
    expect(parse({ action: 'update', memory, content: 'x' })).toBeNull();
    expect(parse({ action: 'forget', memory })).toBeNull();
  });

  it('keeps a noop whatever it names', () => {
    expect(parse({ action: 'noop', memory: '9' })).toEqual({ action: 'noop', candidate, memoryId: null });
  });

  it.each(['', 'I would update 1.', '{"action": "delete everything"}', '[]', 'null', '{"action": "upd'])(
    'refuses %j',
    (answer) => {
      expect(() => parse(answer)).toThrow(MalformedAnswerError);
    },
  );
});
