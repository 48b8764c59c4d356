import type { RecallHit, RecallQuery, SpaceVector } from '../../storage/memory-store.js';
import { checkSpaceVector } from '../../storage/space-vector.js';
import { compareIds, contains, isOfKind, toMemory, wordsOf } from './rows.js';
import type { Row } from './rows.js';

export function recallFrom(live: readonly Row[], query: RecallQuery): RecallHit[] {
  const vector = query.mode === 'keyword' ? null : query.vector;
  if (vector) checkSpaceVector(vector);
  const terms = query.mode === 'vector' ? new Set<string>() : wordsOf(query.searchText);
  if (!vector && terms.size === 0) return [];

  const idf = new Map<string, number>();
  for (const term of terms) {
    const df = live.filter((row) => row.words.has(term)).length;
    idf.set(term, Math.log(1 + (live.length - df + 0.5) / (df + 0.5)));
  }
  const sum = (words: Iterable<string>): number => [...words].reduce((total, word) => total + (idf.get(word) ?? 0), 0);

  const entered = live
    .filter((row) => isOfKind(row, query.kinds) && contains(row.metadata, query.metadata ?? {}))
    .map((row) => {
      const distance = vector && row.vector?.space === vector.space ? cosineDistance(row.vector, vector) : null;
      const coverage =
        terms.size > 0 ? round(sum([...terms].filter((term) => row.words.has(term))) / sum(terms)) : null;
      const closeness = distance === null ? 0 : Math.max(0, 1 - distance);
      const relevance =
        vector && coverage !== null
          ? query.denseWeight * closeness + (1 - query.denseWeight) * coverage
          : vector
            ? closeness
            : (coverage ?? 0);
      return { row, distance, coverage, relevance, score: withPrior(row, relevance, query) };
    })
    .filter(({ distance, coverage, relevance }) => {
      const { maxDistance, minCoverage, minScore } = query;
      if (maxDistance === null && minCoverage === null && minScore === null) return true;
      return (
        (maxDistance !== null && distance !== null && distance <= maxDistance) ||
        (minCoverage !== null && coverage !== null && coverage >= minCoverage) ||
        (minScore !== null && distance !== null && coverage !== null && relevance >= minScore)
      );
    });

  const newerFirst = (a: { row: Row }, b: { row: Row }): number =>
    b.row.createdAt.getTime() - a.row.createdAt.getTime() || compareIds(a.row.id, b.row.id);
  const byDistance = entered
    .filter((hit) => hit.distance !== null)
    .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || newerFirst(a, b));
  const byCoverage = entered
    .filter((hit) => hit.coverage !== null && hit.coverage > 0)
    .sort((a, b) => (b.coverage ?? 0) - (a.coverage ?? 0) || newerFirst(a, b));
  return entered
    .sort((a, b) => b.score - a.score || newerFirst(a, b))
    .slice(0, query.limit)
    .map((hit) => ({
      memory: toMemory(hit.row),
      score: hit.score,
      distance: hit.distance,
      coverage: hit.coverage,
      vectorRank: byDistance.indexOf(hit) + 1 || null,
      keywordRank: byCoverage.indexOf(hit) + 1 || null,
    }));
}

function withPrior(row: Row, relevance: number, { prior, asOf = new Date() }: RecallQuery): number {
  if (!prior) return relevance;
  const { importanceWeight, recencyWeight, halfLifeDays } = prior;
  const days = Math.max(0, asOf.getTime() - row.updatedAt.getTime()) / 86_400_000;
  const recency = 0.5 ** (days / halfLifeDays);
  const score =
    (1 - importanceWeight - recencyWeight) * relevance + importanceWeight * row.importance + recencyWeight * recency;
  return Math.max(0, Math.min(1, score));
}

function cosineDistance(a: SpaceVector, b: SpaceVector): number {
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  a.values.forEach((value, index) => {
    const other = b.values[index] ?? 0;
    dot += value * other;
    squareA += value * value;
    squareB += other * other;
  });
  return round(1 - dot / Math.sqrt(squareA * squareB));
}

/** Six places, as the store in Postgres has them. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
