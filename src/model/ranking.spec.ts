import { describe, expect, it } from '@jest/globals';
import { foldNearDuplicates, withinBudget } from './ranking.js';

const hits = (...contents: string[]): { memory: { content: string } }[] =>
  contents.map((content) => ({ memory: { content } }));
const contents = (found: readonly { memory: { content: string } }[]): string[] =>
  found.map(({ memory }) => memory.content);

describe('foldNearDuplicates', () => {
  it('keeps the best of the same words', () => {
    expect(
      contents(foldNearDuplicates(hits('Is on the Pro plan.', 'is on the pro plan', 'Is on the Free plan'))),
    ).toEqual(['Is on the Pro plan.', 'Is on the Free plan']);
  });

  it('finds the same words in any script, whatever stands between them', () => {
    const twice = hits(
      'Likes 東京, tea & ｔｅａ',
      'likes 東京 — tea & tea!',
      'ชอบกินข้าว',
      '«ชอบกินข้าว»',
      'Has 2 cats',
      'has 2 cats.',
    );
    expect(contents(foldNearDuplicates(twice))).toEqual(['Likes 東京, tea & ｔｅａ', 'ชอบกินข้าว', 'Has 2 cats']);
  });

  it('does not fold what differs in a number, an order or signs alone', () => {
    const different = hits('Has 2 cats', 'Has 3 cats', 'Ana likes Bo', 'Bo likes Ana', ':-)', ':-(');
    expect(foldNearDuplicates(different)).toHaveLength(different.length);
  });
});

describe('withinBudget', () => {
  const count = (text: string): number => text.length;

  it('takes from the best down and passes over what does not fit', () => {
    expect(contents(withinBudget(hits('aaaa', 'bbbbbb', 'cc'), 6, count))).toEqual(['aaaa', 'cc']);
  });

  it('is empty where nothing fits', () => {
    expect(withinBudget(hits('aaaa'), 3, count)).toEqual([]);
  });
});
