import { describe, expect, it } from '@jest/globals';
import { lastSaid, saidSinceAnswer } from './spoken.js';

const user = (content: unknown): object => ({ role: 'user', content });
const answer = (content: unknown): object => ({ role: 'assistant', content });
const calling = { role: 'assistant', content: 'Let me look.', tool_calls: [{ id: 'a', type: 'function' }] };
const result = { role: 'tool', tool_call_id: 'a', content: 'It rains in Oslo.' };
const system = { role: 'system', content: 'Be kind.' };

describe('what the user said since the last answer', () => {
  it.each<[string, object[], string[]]>([
    ['is the first message of a conversation', [system, user('Hi, I am Ada.')], ['Hi, I am Ada.']],
    ['is what follows the last answer', [user('one'), answer('1'), user('two')], ['two']],
    ['is all of several messages', [user('one'), answer('1'), user('two'), user('three')], ['two', 'three']],
    ['reaches over tool calls and their results', [user('one'), calling, result, calling, result], ['one']],
    ['ends at an answer that followed tool calls', [user('one'), calling, result, answer('1'), user('two')], ['two']],
    [
      'reaches over functions called in the old form',
      [user('one'), { role: 'assistant', content: null, function_call: { name: 'f' } }, { role: 'function' }],
      ['one'],
    ],
    [
      'takes an empty list of tool calls for an answer',
      [user('one'), { ...calling, tool_calls: [] }, user('two')],
      ['two'],
    ],
    [
      'takes a message at the end for the beginning of the answer',
      [user('one'), answer('1'), user('two'), answer('So')],
      ['two'],
    ],
    ['is what came before, where only tools were called', [user('one'), calling, result, user('two')], ['one', 'two']],
    ['is nothing where the user said nothing', [system, answer('Welcome!')], []],
    [
      'leaves out messages without words',
      [user([{ type: 'image_url', image_url: { url: 'x' } }]), user('two')],
      ['two'],
    ],
    ['passes over what is no message', [null, 7, user(null), user({}), user('two')] as object[], ['two']],
  ])('%s', (_name, messages, said) => {
    expect(saidSinceAnswer(messages)).toEqual(said);
  });
});

describe('the last that the user said', () => {
  it('is the text parts of a list, without images, sound and files', () => {
    const parts = [
      { type: 'text', text: 'What is' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: 'on this picture?' },
      { type: 'text', text: 42 },
    ];
    expect(lastSaid([user('before'), user(parts)])).toBe('What is\non this picture?');
  });

  it('tells silence from a message without words', () => {
    expect(lastSaid([system])).toBeNull();
    expect(lastSaid([user('before'), user([{ type: 'input_audio' }])])).toBe('');
  });

  it('is without a block of memories that the host put there, and without what Postgres cannot store', () => {
    const block = '<engram-memories>\n<engram-memory kind="fact">Is vegan</engram-memory>\n</engram-memories>';
    expect(lastSaid([user(`${block}\n\nWhat shall I cook\u0000 \ud83dtonight?`)])).toBe(
      'What shall I cook \ufffdtonight?',
    );
  });
});
