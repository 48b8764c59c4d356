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
    ['a think block with attributes', `<think budget="2">maybe {"memories": []}</think>${json}`],
    ['reasoning in square brackets', `[THINK]maybe {"memories": []}[/THINK]${json}`],
    ['reasoning whose opening tag the template had', `maybe {"memories": []}, or not.\n</think>\n\n${json}`],
    ['the same value twice', `${json}\nAgain: ${json}`],
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
    ['an empty value and a full one', `{"memories": []} No, wait: ${json}`],
    ['a draft and its correction', `${json} Correction: {"memories": ["Likes tea"]}`],
  ])('refuses %s', (_, answer) => {
    expect(() => jsonAnswer(answer, object)).toThrow(MalformedAnswerError);
  });

  it('finds a value that tells of a think tag', () => {
    const tag = { memories: [{ content: 'Writes </think> and [/THINK] in tests' }] };
    expect(jsonAnswer(JSON.stringify(tag), object)).toEqual(tag);
  });

  it.each(['[', '{', '{"', '[a', '{"a":['])(
    'gives up on a hundred thousand times %j instead of reading on',
    (bracket) => {
      expect(() => jsonAnswer(bracket.repeat(100_000), object)).toThrow(MalformedAnswerError);
    },
  );
});
