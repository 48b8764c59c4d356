import { describe, expect, it } from '@jest/globals';
import { jsonAnswer, MalformedAnswerError } from './json-answer.js';

const object = (value: unknown): boolean => typeof value === 'object' && value !== null && 'memories' in value;
const wanted = { memories: [{ content: 'Likes {braces} and "quotes"' }] };
const json = JSON.stringify(wanted);

describe('jsonAnswer', () => {
  it.each([
    ['bare', json],
    ['a byte order mark', `\uFEFF${json}`],
    ['a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['prose around it', `Sure! Here is what I found:\n${json}\nLet me know.`],
    ['prose with braces before it', `I looked at {name} and [this]: ${json}`],
    ['a think block with JSON in it', `<think>maybe {"memories": []} or not</think>${json}`],
    ['an example of another shape before it', `{"note": {"memories": 1}} ${json}`],
    ['pretty printed', JSON.stringify(wanted, null, 2)],
  ])('finds the value in %s', (_, answer) => {
    expect(jsonAnswer(answer, object)).toEqual(wanted);
  });

  it.each([
    ['empty', ''],
    ['blank', ' \n '],
    ['a refusal', "I'm sorry, I can't help with that."],
    ['cut in the middle', json.slice(0, -4)],
    ['cut inside a string', json.slice(0, 30)],
    ['a think block that never ends', `<think>${json}`],
    ['another shape', '{"facts": []}'],
    ['a scalar', '42'],
  ])('refuses %s', (_, answer) => {
    expect(() => jsonAnswer(answer, object)).toThrow(MalformedAnswerError);
  });

  it('stays quick on thousands of opening brackets', () => {
    expect(() => jsonAnswer('['.repeat(5_000), object)).toThrow(MalformedAnswerError);
  });
});
