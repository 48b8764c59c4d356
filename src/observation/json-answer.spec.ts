import { describe, expect, it } from '@jest/globals';
import { jsonAnswer, MalformedAnswerError } from './json-answer.js';

const object = (value: unknown): unknown =>
  Array.isArray((value as { memories?: unknown } | null)?.memories) ? value : null;
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
    ['a comma before the end', json.replace(']}', ',],}')],
    ['comments', json.replace('[', '[ // what was said\n').replace(']', '/* no more */ ]')],
    ['a wrapper', `{"result": ${json}}`],
    ['two wrappers and a list', `{"output": [{"data": ${json}}]}`],
    ['a string', JSON.stringify(json)],
    ['a string in a wrapper', JSON.stringify({ arguments: json })],
    ['the form as it was asked for before it', `{"memories": [{"content", "kind"}]}\n${json}`],
    ['an unreadable note before it', `{"thought": 'single'} ${json}`],
    ['a bracket in prose that never closes', `Note [as I said: ${json}`],
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
    ['single quotes', "{'memories': []}"],
    ['a list cut off behind a whole empty one', '{"tags": [], "memories": [{"content": "Likes te'],
    ['a wrapper cut off behind a whole value', `[${json}, {"memories": [`],
    ['a second value that is cut off', `${json}\n{"memories": [{"content": "Lik`],
    ['an object that breaks behind a whole list', '{"memories": [], "note": oops}'],
    ['a list of something else in a wrapper', '{"tags": [], "note": {"list": []}}'],
    ['a key that is given twice', '{"memories": ["Likes tea"], "memories": []}'],
    ['brackets that do not match', '{"memories": ["Likes tea"}]'],
    ['a draft and its correction', `${json} Correction: {"memories": ["Likes tea"]}`],
  ])('refuses %s', (_, answer) => {
    expect(() => jsonAnswer(answer, object)).toThrow(MalformedAnswerError);
  });

  it('reads the words of Python and numbers that are none', () => {
    expect(jsonAnswer('{"memories": [None], "sure": True, "left": False, "weight": NaN}', object)).toEqual({
      memories: [null],
      sure: true,
      left: false,
      weight: null,
    });
  });

  it('leaves what stands in strings as it is', () => {
    const text = { memories: ['None, True // not, [1,] NaN /* x */', 'C:\\temp\\'] };
    expect(jsonAnswer(JSON.stringify(text), object)).toEqual(text);
  });

  it('makes no prototype of a key that is named like one', () => {
    const value = jsonAnswer('{"memories": [], "__proto__": {"polluted": true}}', object) as Record<string, unknown>;
    expect(value['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['nesting', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['nesting inside a key', `{"memories": ${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
    ['ten megabytes of prose', 'word '.repeat(2_000_000)],
    ['ten megabytes of memories', `{"memories": [${'"Likes tea",'.repeat(900_000)}"x"]}`],
    ['an endless string', `{"memories": ["${'x'.repeat(3_000_000)}`],
    ['thousands of think tags', '<think>'.repeat(200_000)],
  ])('refuses %s', (_, answer) => {
    expect(() => jsonAnswer(answer, object)).toThrow(MalformedAnswerError);
  });

  it('reads megabytes where they are whole', () => {
    const long = { memories: Array.from({ length: 20_000 }, (_, index) => `Likes number ${index} ${'x'.repeat(100)}`) };
    expect(jsonAnswer(`Here: ${JSON.stringify(long)}`, object)).toEqual(long);
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
