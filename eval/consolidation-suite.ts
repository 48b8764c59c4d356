import type { Embedder } from '../src/embedding/embedder.js';
import { searchText } from '../src/model/search-text.js';
import { neighboursOf } from '../src/observation/consolidator/consolidate.js';
import { decideByRules } from '../src/observation/consolidator/heuristic/decide-by-rules.js';
import { CONSOLIDATION_CASES, CONTRADICTIONS, REPEATED } from './labelled/consolidation-cases.js';
import type { ConsolidationCase } from './labelled/consolidation-cases.js';
import type { MemoryUnderTest } from './memory-under-test.js';
import { mean, rounded } from './metrics.js';
import type { SuiteReport } from './suite-report.js';
import { percent, table } from './table.js';

/** Neighbours that a candidate is weighed against, as the module's default is. */
const NEIGHBOURS = 10;

/** What becomes of a statement beside what is known: single decisions, changed minds, and the same said again. */
export async function consolidationSuite(memory: MemoryUnderTest, embedder: Embedder): Promise<SuiteReport> {
  const decisions: { readonly of: ConsolidationCase; readonly made: string; readonly right: boolean }[] = [];
  for (const [index, consolidation] of CONSOLIDATION_CASES.entries()) {
    decisions.push(await decide(memory, embedder, consolidation, index));
  }
  const contradictions: { readonly said: string; readonly left: readonly string[]; readonly resolved: boolean }[] = [];
  for (const [index, { known, kind, said, now, before }] of CONTRADICTIONS.entries()) {
    const scoped = memory.service.for({ tenantId: 'eval', scope: `contradiction:${index}` });
    await scoped.add(known, { kind });
    await scoped.observe([{ role: 'user', content: said }], { turnId: 'turn' });
    const left = (await scoped.list()).memories.map(({ content }) => content);
    const texts = left.map((content) => `${content.toLowerCase()} `);
    const resolved = texts.length === 1 && texts.every((text) => text.includes(now) && !text.includes(before));
    contradictions.push({ said, left, resolved });
  }
  let rows = 0;
  for (const [index, sayings] of REPEATED.entries()) {
    const scoped = memory.service.for({ tenantId: 'eval', scope: `repeated:${index}` });
    for (const [turn, content] of sayings.entries()) {
      await scoped.observe([{ role: 'user', content }], { turnId: `turn:${turn}` });
    }
    rows += (await scoped.list()).memories.length;
  }
  const said = REPEATED.flat().length;
  const spare = said - REPEATED.length;
  const measured = {
    'right decisions': rounded(mean(decisions.map(({ right }) => Number(right)))),
    'contradictions resolved': rounded(mean(contradictions.map(({ resolved }) => Number(resolved)))),
    // 1 when each fact is one row; 0 is the baseline, one row a saying. Nothing learned at all counts as nothing folded.
    'repeats folded': rounded(rows < REPEATED.length ? 0 : (said - rows) / spare),
  };
  return {
    name: 'consolidation',
    measured,
    detail: {
      wrongDecisions: decisions
        .filter(({ right }) => !right)
        .map(({ of, made }) => ({ known: of.known, candidate: of.candidate, wanted: of.action, made })),
      unresolved: contradictions.filter(({ resolved }) => !resolved),
    },
    text: [
      `${decisions.length} decisions, ${contradictions.length} changed minds, ${said} sayings of ${REPEATED.length} facts ` +
        `(kept as ${rows} rows; without consolidation ${said}).`,
      table(
        ['', '%'],
        Object.entries(measured).map(([name, share]) => [name, percent(share)]),
      ),
    ].join('\n\n'),
  };
}

async function decide(
  { service, store }: MemoryUnderTest,
  embedder: Embedder,
  consolidation: ConsolidationCase,
  index: number,
): Promise<{ of: ConsolidationCase; made: string; right: boolean }> {
  const { known, candidate, kind, action, target } = consolidation;
  const scope = { tenantId: 'eval', scope: `consolidation:${index}` };
  const added = await service.for(scope).addMany(known.map((content) => ({ content })));
  const [values] = await embedder.embedDocuments([candidate]);
  const hits = await store.recall(scope, {
    searchText: searchText(candidate),
    vector: { space: embedder.space, values: values as number[] },
    mode: 'hybrid',
    limit: NEIGHBOURS,
    denseWeight: embedder.calibration.denseWeight,
    maxDistance: null,
    minCoverage: null,
    minScore: null,
  });
  const decision = decideByRules({ content: candidate, kind, importance: 0.5, messageNo: 0 }, neighboursOf(hits));
  const about = 'memoryId' in decision ? decision.memoryId : null;
  const wanted = target === undefined ? null : (added[target]?.memory?.id ?? null);
  return { of: consolidation, made: decision.action, right: decision.action === action && about === wanted };
}
