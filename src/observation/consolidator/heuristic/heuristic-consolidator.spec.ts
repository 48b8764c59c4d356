import { describe, expect, it } from '@jest/globals';
import type { MemoryKind } from '../../../model/kind.js';
import { CHANGED, DENIED, ELSEWHERE, KNOWN } from '../../../../test/cases/consolidation-cases.js';
import { consolidateByRules } from './heuristic-consolidator.js';
import type { RuledDecision, RuledNeighbour } from './heuristic-consolidator.js';

const CASES = { KNOWN, CHANGED, DENIED, ELSEWHERE };

/** Near to the candidate, but for what the sentences say: the rules must not go by it. */
const DISTRACTORS = ['Has a parrot called Coco', 'Uses Terraform', 'Sister lives in Vienna', 'Prefers window seats'];

function memory(id: string, content: string, kind: MemoryKind = 'fact', score = 0.5): RuledNeighbour {
  return { id, content, kind, score, distance: 0.4 };
}

function outcome(decision: RuledDecision): string {
  return decision.action === 'update' ? decision.content : decision.action;
}

describe('consolidation by rules', () => {
  describe.each(Object.entries(CASES))('%s', (_, cases) => {
    it.each(cases.map(({ known, says, becomes, kind }) => [known, says, becomes, kind] as const))(
      'makes of %j, told %j: %j',
      (known, says, becomes, kind) => {
        const target = memory('target', known, kind);
        const decision = consolidateByRules({ content: says, kind: kind ?? 'fact' }, [target]);

        expect(outcome(decision)).toBe(becomes);
      },
    );

    it.each(cases.map(({ known, says, becomes, kind }) => [known, says, becomes, kind] as const))(
      'makes the same of %j, told %j, in whatever order the neighbours come',
      (known, says, becomes, kind) => {
        const neighbours = [
          ...DISTRACTORS.map((content, index) => memory(`other-${index}`, content, 'fact', 0.9 - index / 10)),
          memory('target', known, kind),
        ];
        const candidate = { content: says, kind: kind ?? ('fact' as const) };
        const decision = consolidateByRules(candidate, neighbours);

        expect(outcome(decision)).toBe(becomes);
        if (decision.action !== 'add') expect(decision.memoryId).toBe('target');
        expect(consolidateByRules(candidate, neighbours.toReversed())).toEqual(decision);
      },
    );
  });

  it('has at least 60 cases', () => {
    expect(Object.values(CASES).flat().length).toBeGreaterThanOrEqual(60);
  });

  it('adds what nothing is known about', () => {
    expect(consolidateByRules({ content: 'Is vegetarian', kind: 'fact' }, [])).toEqual({ action: 'add' });
  });

  it('prefers the memory that says it already to one that it would change', () => {
    const neighbours = [memory('old', 'Lives in Berlin', 'fact', 0.9), memory('same', 'Lives in Munich', 'fact', 0.1)];

    expect(consolidateByRules({ content: 'Lives in Munich', kind: 'fact' }, neighbours)).toEqual({
      action: 'noop',
      memoryId: 'same',
    });
  });

  it('chooses among equal neighbours by id, so that two runs change the same memory', () => {
    const neighbours = [memory('b', 'Lives in Bonn'), memory('a', 'Lives in Berlin')];
    const decision = consolidateByRules({ content: 'Lives in Munich', kind: 'fact' }, neighbours);

    expect(decision).toEqual({ action: 'update', memoryId: 'a', content: 'Lives in Munich' });
    expect(consolidateByRules({ content: 'Lives in Munich', kind: 'fact' }, neighbours.toReversed())).toEqual(decision);
  });

  it('leaves what happened alone when a state changes', () => {
    const happened = memory('trip', 'Lives in Berlin', 'episodic');

    expect(consolidateByRules({ content: 'Lives in Munich', kind: 'fact' }, [happened])).toEqual({ action: 'add' });
  });

  it('comes to one memory of the last polarity after a mind changed three times', () => {
    let known = 'Loves noodles';
    for (const says of ['Cannot stand noodles', 'Likes noodles', 'Does not like noodles']) {
      known = outcome(consolidateByRules({ content: says, kind: 'preference' }, [memory('noodles', known)]));
    }

    expect(known).toBe('Does not like noodles');
  });
});
