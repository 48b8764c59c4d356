import type { Embedder } from '../src/embedding/embedder.js';
import type { Scope } from '../src/model/scope.js';
import { searchText } from '../src/model/search-text.js';
import { isSmallTalk } from '../src/model/small-talk.js';
import { NEGATIVES } from './labelled/negatives.js';
import type { NegativeKind } from './labelled/negatives.js';
import type { Persona, Question } from './labelled/persona.js';
import { PERSONAS } from './labelled/personas.js';
import type { MemoryUnderTest } from './memory-under-test.js';
import { mean, rounded, shareFound } from './metrics.js';
import type { SuiteReport } from './suite-report.js';
import { percent, table } from './table.js';

const LIMIT = 10;
const CUTS = [1, 3, 5, 10] as const;
const SHOWN_DISTANCES = [0.5, 0.55, 0.6, 0.62, 0.64, 0.65, 0.66, 0.67, 0.68, 0.7, 0.72, 0.74, 0.76, 0.78, 0.8, 0.85];

interface Hit {
  readonly label: string;
  readonly score: number;
  readonly distance: number | null;
  readonly coverage: number | null;
}

interface Asked {
  readonly persona: string;
  readonly ask: string;
  /** All memories of the persona, best first, whatever a threshold says. */
  readonly ranked: readonly Hit[];
  /** What the product returned. */
  readonly recalled: readonly string[];
  readonly searchable: boolean;
  readonly smallTalk: boolean;
}

interface AskedQuestion extends Asked {
  readonly question: Question;
}

interface AskedNegative extends Asked {
  readonly kind: NegativeKind;
}

/** Recall over labelled personas: what must be found, what must not be, and what moving the threshold would do to both. */
export async function recallSuite(memory: MemoryUnderTest, embedder: Embedder): Promise<SuiteReport> {
  const questions: AskedQuestion[] = [];
  const negatives: AskedNegative[] = [];
  for (const [index, persona] of PERSONAS.entries()) {
    const ask = await remember(memory, embedder, persona, { tenantId: 'eval', scope: `persona:${index}` });
    for (const question of persona.questions) questions.push({ ...(await ask(question.ask)), question });
    for (const unknown of persona.unknown) negatives.push({ ...(await ask(unknown)), kind: 'unknown topic' });
    for (const [kind, texts] of Object.entries(NEGATIVES)) {
      for (const text of texts) negatives.push({ ...(await ask(text)), kind: kind as NegativeKind });
    }
  }

  const found = Object.fromEntries(
    CUTS.map((k) => [`recall@${k}`, mean(questions.map((asked) => recallAt(asked, asked.recalled, k)))]),
  );
  const ranking = Object.fromEntries(
    CUTS.map((k) => [`ranking.recall@${k}`, mean(questions.map((asked) => recallAt(asked, labels(asked.ranked), k)))]),
  );
  const silent = silence(negatives, ({ recalled }) => recalled.length === 0);
  const distracted = questions.filter(({ question }) => question.distractor !== undefined);
  const measured = {
    ...found,
    ...ranking,
    'precision@5': precision(questions, ({ recalled }) => recalled),
    'right above distractor': mean(distracted.map((asked) => (distractorBelow(asked) ? 1 : 0))),
    'negatives silent': silent.all,
    ...Object.fromEntries(Object.entries(silent.byKind).map(([kind, share]) => [`negatives silent.${kind}`, share])),
  };
  const chosen = embedder.calibration.maxDistance;
  const curve = [...new Set([...SHOWN_DISTANCES, chosen])]
    .sort((a, b) => a - b)
    .map((maxDistance) => pointAt(embedder, maxDistance, questions, negatives));
  return {
    name: 'recall',
    measured: Object.fromEntries(Object.entries(measured).map(([name, value]) => [name, rounded(value)])),
    detail: { curve, missed: missed(questions), answeredNegatives: answered(negatives) },
    text: [
      `${PERSONAS.length} personas, ${count(PERSONAS, (p) => Object.keys(p.memories).length)} memories, ` +
        `${questions.length} questions, ${new Set(negatives.map(({ ask }) => ask)).size} negatives ` +
        '(small talk, commands and world knowledge asked of every persona).',
      table(
        ['recall@k', ...CUTS.map(String)],
        [
          ['as shipped', ...CUTS.map((k) => percent(found[`recall@${k}`] ?? 0))],
          ['ranking, no threshold', ...CUTS.map((k) => percent(ranking[`ranking.recall@${k}`] ?? 0))],
        ],
      ),
      table(
        ['negatives silent', '%'],
        [...Object.entries(silent.byKind), ['all, each negative counted once', silent.all] as const].map(
          ([kind, share]) => [kind, percent(share)],
        ),
      ),
      `Precision proxy (labelled among the first 5 recalled; labels are not exhaustive): ${percent(measured['precision@5'])}`,
      `Right memory above its near-distractor (${distracted.length} questions): ${percent(measured['right above distractor'])}`,
      'The curve. Distance is the threshold moved; words (coverage, fused score) stay as shipped.',
      table(
        ['max distance', 'recall@5', 'precision@5', 'answered: all', 'small talk', 'command', 'world', 'unknown topic'],
        curve.map((point) => [
          `${point.maxDistance}${point.maxDistance === chosen ? ' <- shipped' : ''}`,
          percent(point.recall5),
          percent(point.precision5),
          percent(point.answered),
          ...(['small talk', 'command', 'world knowledge', 'unknown topic'] as const).map((kind) =>
            percent(point.answeredByKind[kind] ?? 0),
          ),
        ]),
      ),
    ].join('\n\n'),
  };
}

/** Stores a persona's memories, and returns how it asks. */
async function remember(
  { service, store }: MemoryUnderTest,
  embedder: Embedder,
  persona: Persona,
  scope: Scope,
): Promise<(ask: string) => Promise<Asked>> {
  const scoped = service.for(scope);
  const entries = Object.entries(persona.memories);
  const results = await scoped.addMany(entries.map(([, { content, kind }]) => ({ content, kind })));
  const labelOf = new Map(
    results.map((result, i) => {
      if (!result.memory) throw new Error(`A memory of ${persona.name} was refused: ${entries[i]?.[0]}`);
      return [result.memory.id, entries[i]?.[0] as string];
    }),
  );
  const label = (id: string): string => labelOf.get(id) as string;
  return async (ask) => {
    const hits = await store.recall(scope, {
      searchText: searchText(ask),
      vector: { space: embedder.space, values: await embedder.embedQuery(ask) },
      mode: 'hybrid',
      limit: entries.length,
      denseWeight: embedder.calibration.denseWeight,
      maxDistance: null,
      minCoverage: null,
      minScore: null,
    });
    const recalled = await scoped.recall(ask, { limit: LIMIT });
    return {
      persona: persona.name,
      ask,
      ranked: hits.map(({ memory, score, distance, coverage }) => ({
        label: label(memory.id),
        score,
        distance,
        coverage,
      })),
      recalled: recalled.map(({ memory }) => label(memory.id)),
      searchable: embedder.canSearch?.(ask) ?? true,
      smallTalk: isSmallTalk(ask),
    };
  };
}

function labels(hits: readonly Hit[]): string[] {
  return hits.map(({ label }) => label);
}

/** Share of the expected memories among the first k; where more are expected than fit, of those that fit. */
function recallAt({ question }: AskedQuestion, found: readonly string[], k: number): number {
  const share = shareFound(question.expect, found.slice(0, k));
  return (share * question.expect.length) / Math.min(k, question.expect.length);
}

function precision(questions: readonly AskedQuestion[], found: (asked: AskedQuestion) => readonly string[]): number {
  const recalled = questions.flatMap((asked) =>
    found(asked)
      .slice(0, 5)
      .map((label) => (asked.question.expect.includes(label) ? 1 : 0)),
  );
  return mean(recalled);
}

function distractorBelow({ question, ranked }: AskedQuestion): boolean {
  const order = labels(ranked);
  const right = Math.min(...question.expect.map((label) => order.indexOf(label)));
  return right < order.indexOf(question.distractor as string);
}

/** Each negative counts once, however many personas it was asked of. */
function silence(
  negatives: readonly AskedNegative[],
  isSilent: (asked: AskedNegative) => boolean,
): { all: number; byKind: Record<string, number> } {
  const byNegative = new Map<string, { kind: NegativeKind; silent: number[] }>();
  for (const asked of negatives) {
    const key = asked.kind === 'unknown topic' ? `${asked.persona}: ${asked.ask}` : asked.ask;
    const entry = byNegative.get(key) ?? { kind: asked.kind, silent: [] };
    entry.silent.push(isSilent(asked) ? 1 : 0);
    byNegative.set(key, entry);
  }
  const all = [...byNegative.values()].map(({ kind, silent }) => ({ kind, share: mean(silent) }));
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  return {
    all: mean(all.map(({ share }) => share)),
    byKind: Object.fromEntries(
      kinds.map((kind) => [kind, mean(all.filter((entry) => entry.kind === kind).map(({ share }) => share))]),
    ),
  };
}

/** What would be recalled at another threshold, by the rule of recall itself. */
function entering(embedder: Embedder, maxDistance: number, { ranked, searchable, smallTalk }: Asked): Hit[] {
  const { minCoverage, minScore } = embedder.calibration;
  if (smallTalk) return [];
  return ranked.filter(
    ({ distance, coverage, score }) =>
      (searchable && distance !== null && distance <= maxDistance) ||
      (coverage !== null && coverage >= minCoverage) ||
      (minScore !== null && distance !== null && coverage !== null && score >= minScore),
  );
}

interface CurvePoint {
  readonly maxDistance: number;
  readonly recall5: number;
  readonly precision5: number;
  readonly answered: number;
  readonly answeredByKind: Readonly<Record<string, number>>;
}

function pointAt(
  embedder: Embedder,
  maxDistance: number,
  questions: readonly AskedQuestion[],
  negatives: readonly AskedNegative[],
): CurvePoint {
  const found = (asked: Asked): string[] => labels(entering(embedder, maxDistance, asked));
  const silent = silence(negatives, (asked) => found(asked).length === 0);
  return {
    maxDistance,
    recall5: rounded(mean(questions.map((asked) => recallAt(asked, found(asked), 5)))),
    precision5: rounded(precision(questions, found)),
    answered: rounded(1 - silent.all),
    answeredByKind: Object.fromEntries(
      Object.entries(silent.byKind).map(([kind, share]) => [kind, rounded(1 - share)]),
    ),
  };
}

function missed(questions: readonly AskedQuestion[]): unknown[] {
  return questions
    .filter((asked) => recallAt(asked, asked.recalled, 5) < 1)
    .map(({ persona, ask, question, recalled }) => ({
      persona,
      ask,
      expected: question.expect,
      recalled: recalled.slice(0, 5),
    }));
}

function answered(negatives: readonly AskedNegative[]): unknown[] {
  return negatives
    .filter(({ recalled }) => recalled.length > 0)
    .map(({ persona, kind, ask, recalled }) => ({ persona, kind, ask, recalled: recalled.slice(0, 3) }));
}

function count<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
