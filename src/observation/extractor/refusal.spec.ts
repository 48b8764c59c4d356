import { describe, expect, it } from '@jest/globals';
import { isRefusal } from './refusal.js';

describe('isRefusal', () => {
  it.each([
    "I'm sorry, but I can't assist with that request. []",
    'I cannot process personal information.\n{"memories": []}',
    'I am unable to help with this.',
    'I must decline: []',
    'As an AI, I do not keep personal data. {"memories": []}',
    'Lo siento, pero no puedo hacerlo. []',
    'Je suis désolé, mais je ne peux pas. []',
    '{"memories": [], "refusal": "no"}',
    '{"error": {"code": 500}, "memories": []}',
  ])('knows %j', (answer) => {
    expect(isRefusal(answer)).toBe(true);
  });

  it.each([
    '{"memories": []}',
    "I can't find any durable facts in this turn: []",
    'I\'m sorry, there is nothing to note. {"memories": []}',
    'The user cannot swim. []',
    '{"memories": [], "refusal": null, "error": ""}',
  ])('takes %j for an answer', (answer) => {
    expect(isRefusal(answer)).toBe(false);
  });
});
