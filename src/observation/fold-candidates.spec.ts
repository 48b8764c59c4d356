import { describe, expect, it } from '@jest/globals';
import type { Candidate } from '../model/decision.js';
import { foldCandidates } from './fold-candidates.js';

const said = (content: string, messageNo: number): Candidate => ({ content, kind: 'fact', importance: 0.5, messageNo });
const left = (...candidates: readonly Candidate[]): string[] =>
  foldCandidates(candidates).map(({ content }) => content);

describe('foldCandidates', () => {
  it('lets a later statement of a turn correct an earlier one', () => {
    expect(left(said('Lives in Berlin', 0), said('Lives in Munich', 0))).toEqual(['Lives in Munich']);
    expect(left(said('Is a nurse', 0), said('Is a teacher', 1))).toEqual(['Is a teacher']);
    expect(left(said('Is a nurse', 0), said('Is a teacher now', 0))).toEqual(['Is a teacher']);
  });

  it('leaves what is over to be looked for among the memories', () => {
    const over = 'Is done with cello, which is given up';

    expect(left(said(over, 0))).toEqual([over]);
    expect(left(said('Plays the cello', 0), said(over, 0))).toEqual(['Does not play the cello']);
  });

  it('keeps two jobs that are told in one message', () => {
    expect(left(said('Is a nurse', 0), said('Is a teacher', 0))).toEqual(['Is a nurse', 'Is a teacher']);
  });
});
