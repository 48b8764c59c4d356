import { EXTRACTION_CASES } from './labelled/extraction-cases.js';
import type { ExtractionCase } from './labelled/extraction-cases.js';
import type { MemoryUnderTest } from './memory-under-test.js';
import { mean, rounded } from './metrics.js';
import type { SuiteReport } from './suite-report.js';
import { percent, table } from './table.js';

interface Learned {
  readonly content: string;
  readonly kind: string;
}

/** Turns observed by the shipped rules, each in a scope of its own: what is learned, and what is made up. */
export async function extractionSuite({ service }: MemoryUnderTest): Promise<SuiteReport> {
  const outcomes: { extraction: ExtractionCase; learned: readonly Learned[] }[] = [];
  for (const [index, extraction] of EXTRACTION_CASES.entries()) {
    const scoped = service.for({ tenantId: 'eval', scope: `extraction:${index}` });
    await scoped.observe(extraction.messages, { turnId: 'turn' });
    outcomes.push({ extraction, learned: (await scoped.list()).memories });
  }
  const facts = outcomes.flatMap(({ extraction, learned }) =>
    extraction.facts.map((fact) => {
      const match = learned.find(({ content }) => holds(content, fact.words));
      return { found: match !== undefined, rightKind: match?.kind === fact.kind };
    }),
  );
  const empty = outcomes.filter(({ extraction }) => extraction.facts.length === 0);
  const statements = outcomes.flatMap(({ extraction, learned }) =>
    learned.map(({ content }) => extraction.facts.some(({ words }) => holds(content, words))),
  );
  const measured = {
    'facts found': rounded(mean(facts.map(({ found }) => Number(found)))),
    'right kind of those found': rounded(
      mean(facts.filter(({ found }) => found).map(({ rightKind }) => Number(rightKind))),
    ),
    'nothing invented': rounded(mean(empty.map(({ learned }) => Number(learned.length === 0)))),
    'wanted of all that was learned': rounded(mean(statements.map(Number))),
  };
  return {
    name: 'extraction',
    measured,
    detail: outcomes
      .filter(({ extraction, learned }) => !right(extraction, learned))
      .map(({ extraction, learned }) => ({
        said: extraction.messages.map(({ content }) => content),
        wanted: extraction.facts,
        learned: learned.map(({ content, kind }) => ({ content, kind })),
      })),
    text: [
      `${outcomes.length} turns, ${facts.length} facts; ${empty.length} turns from which nothing may be learned.`,
      table(
        ['', '%'],
        Object.entries(measured).map(([name, share]) => [name, percent(share)]),
      ),
    ].join('\n\n'),
  };
}

function holds(content: string, words: readonly string[]): boolean {
  const text = content.toLowerCase();
  return words.every((word) => text.includes(word));
}

function right({ facts }: ExtractionCase, learned: readonly Learned[]): boolean {
  return (
    learned.length === facts.length &&
    facts.every(({ words, kind }) => learned.some((memory) => holds(memory.content, words) && memory.kind === kind))
  );
}
