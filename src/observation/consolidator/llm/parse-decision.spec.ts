import { describe, expect, it } from '@jest/globals';
import type { Candidate } from '../../../model/decision.js';
import { MalformedAnswerError } from '../../json-answer.js';
import { parseDecision } from './parse-decision.js';

const candidate: Candidate = { content: 'Is on the Enterprise plan', kind: 'fact', importance: 0.5, messageNo: 0 };
const ids = new Map([
  ['1', 'id-of-one'],
  ['2', 'id-of-two'],
]);
const parse = (answer: unknown): ReturnType<typeof parseDecision> =>
  parseDecision(typeof answer === 'string' ? answer : JSON.stringify(answer), candidate, ids, 60);

describe('parseDecision', () => {
  it('turns an alias back into an id', () => {
    expect(parse({ action: 'update', memory: '2', content: 'Is on Enterprise' })).toEqual({
      action: 'update',
      candidate,
      memoryId: 'id-of-two',
      content: 'Is on Enterprise',
    });
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

  it.each(['3', '0', 'id-of-one', '018f0000-0000-7000-8000-000000000000', '', null, {}, '__proto__', 'constructor'])(
    'skips an update or forget of %j, which was not offered',
    (memory) => {
      expect(parse({ action: 'update', memory, content: 'x' })).toBeNull();
      expect(parse({ action: 'forget', memory })).toBeNull();
    },
  );

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
