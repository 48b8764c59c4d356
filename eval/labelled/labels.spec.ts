import { describe, expect, it } from '@jest/globals';
import { NEGATIVES } from './negatives.js';
import { PERSONAS } from './personas.js';

describe('the labelled set', () => {
  it.each(PERSONAS.map((persona) => [persona.name, persona] as const))(
    'names only memories that %s has',
    (_, persona) => {
      const labels = new Set(Object.keys(persona.memories));
      const named = persona.questions.flatMap(({ expect: wanted, distractor }) => [
        ...wanted,
        ...(distractor ? [distractor] : []),
      ]);
      expect(named.filter((label) => !labels.has(label))).toEqual([]);
    },
  );

  it('is large enough to tell one percent apart', () => {
    const count = (of: (persona: (typeof PERSONAS)[number]) => number): number =>
      PERSONAS.reduce((sum, persona) => sum + of(persona), 0);
    expect(count(({ memories }) => Object.keys(memories).length)).toBeGreaterThanOrEqual(120);
    expect(count(({ questions }) => questions.length)).toBeGreaterThanOrEqual(150);
    expect(Object.values(NEGATIVES).flat().length + count(({ unknown }) => unknown.length)).toBeGreaterThanOrEqual(100);
  });
});
