import { describe, expect, it } from '@jest/globals';
import type { Candidate } from '../../../model/decision.js';
import type { Memory } from '../../../model/memory.js';
import type { Neighbour } from '../neighbour.js';
import { heldToRules } from './held-to-rules.js';

const candidate = (content: string): Candidate => ({ content, kind: 'fact', importance: 0.5, messageNo: 0 });
const known = (content: string): Neighbour => {
  const at = new Date('2026-03-04T12:00:00Z');
  const memory: Memory = {
    id: 'known',
    content,
    kind: 'fact',
    importance: 0.5,
    metadata: {},
    source: 'observed',
    version: 1,
    createdAt: at,
    updatedAt: at,
    expiresAt: null,
    lastAccessedAt: null,
    accessCount: 0,
  };
  return { memory, score: 0.9, distance: 0.1 };
};
const toldKnown = (content: string, before: string): string => {
  const said = candidate(content);
  return heldToRules({ action: 'noop', candidate: said, memoryId: 'known' }, said, [known(before)]).action;
};

describe('a model that takes a statement for known', () => {
  it.each([
    ['Has a dog called Maxine', 'Has a dog called Max', 'add'],
    ['Has a dog called Max', 'Has a dog called Maxine', 'add'],
    ['Has a wife called Anna', 'Has a wife called Ann', 'update'],
    ['Lives in New York', 'Lives in York', 'update'],
    ['Works at Shell', 'Works at Shell Oil', 'update'],
    ['Is a teacher', 'Is a nurse', 'update'],
    ['Weighs 76 kg', 'Weighs 80 kg', 'update'],
  ])('does not lose %j beside %j', (content, before, action) => {
    expect(toldKnown(content, before)).toBe(action);
  });

  it.each([
    ['Has a dog called Max', 'Has a dog called Max Power'],
    ['Lives in NYC', 'Has a flat in New York'],
    ['Likes dogs', 'Loves his dog'],
  ])('may say so of %j beside %j', (content, before) => {
    expect(toldKnown(content, before)).toBe('noop');
  });
});
