import type { Embedder } from '../../src/embedding/embedder.js';
import { LocalEmbedder } from '../../src/embedding/local/local-embedder.js';
import { searchText } from '../../src/model/search-text.js';
import type { PersistencePolicy } from '../../src/policy/persistence-policy.js';
import { CachingEmbedder } from '../caching-embedder.js';
import { startMemory } from '../memory-under-test.js';
import type { MemoryUnderTest } from '../memory-under-test.js';
import { mean, rounded, shareFound } from '../metrics.js';
import type { SuiteReport } from '../suite-report.js';
import { percent, table } from '../table.js';
import { CATEGORIES } from './locomo-dataset.js';
import type { LocomoConversation, LocomoText } from './locomo-dataset.js';

const LIMIT = 10;
const ROWS_MAX = 1000;
const WEIGHTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const DISTANCES = [0.5, 0.55, 0.6, 0.62, 0.64, 0.665, 0.68, 0.7, 0.75, 0.8];

/** Retrieval is measured, not admission: a turn that speaks of passing progress is stored like any other. */
const KEEP_ALL: PersistencePolicy = {
  check: () => Promise.resolve(null),
  mask: (messages) => Promise.resolve([...messages]),
};

interface Row {
  readonly turns: readonly string[];
  readonly distance: number;
  readonly coverage: number;
}

interface Answer {
  readonly category: number;
  readonly evidence: readonly string[];
  /** Every memory of the conversation with both legs. */
  readonly rows: readonly Row[];
  /** Turns in the first ten, as the store ranks with no threshold. */
  readonly ranked: readonly string[];
  /** Turns in the first ten that `recall` returns with its defaults. */
  readonly recalled: readonly string[];
  readonly searchable: boolean;
}

/**
 * Recall@10 on LoCoMo: the share of a question's evidence turns among the first ten, mean over questions of categories
 * 1-4, a conversation a scope. `ranking` is the order with no threshold; `default` is `recall` as shipped. The weight of
 * meaning and the threshold are chosen on the first half of the conversations and reported on the other half.
 */
export async function locomoSuite(conversations: readonly LocomoConversation[], cache: string): Promise<SuiteReport[]> {
  const embedder = new CachingEmbedder(new LocalEmbedder(), cache);
  const memory = await startMemory(embedder, { policy: KEEP_ALL, limits: { contentLength: 10_000 } });
  try {
    return [
      await suite(memory, embedder, 'turns', conversations, ({ turns }) => turns),
      await suite(memory, embedder, 'facts', conversations, ({ facts }) => facts),
    ];
  } finally {
    await memory.close();
    await embedder.stop();
  }
}

async function suite(
  memory: MemoryUnderTest,
  embedder: Embedder,
  name: string,
  conversations: readonly LocomoConversation[],
  textsOf: (conversation: LocomoConversation) => readonly LocomoText[],
): Promise<SuiteReport> {
  const halves: [Answer[], Answer[]] = [[], []];
  for (const [index, conversation] of conversations.entries()) {
    const answers = await ask(memory, embedder, `${name}:${conversation.id}`, conversation, textsOf(conversation));
    halves[index < conversations.length / 2 ? 0 : 1].push(...answers);
  }
  const [calibration, held] = halves;
  const all = [...calibration, ...held];
  const { denseWeight, maxDistance } = embedder.calibration;
  const ways: readonly [string, (answer: Answer) => readonly string[]][] = [
    ['ranking', ({ ranked }) => ranked],
    ['default', ({ recalled }) => recalled],
  ];
  const recallOf = (answers: readonly Answer[], found: (answer: Answer) => readonly string[]): number =>
    mean(answers.map((answer) => shareFound(answer.evidence, found(answer))));
  const weights = WEIGHTS.map((weight) => {
    const found = (answer: Answer): string[] => firstTen(answer, embedder, weight, null);
    return { weight, calibration: recallOf(calibration, found), held: recallOf(held, found) };
  });
  const best = weights.reduce((a, b) => (b.calibration > a.calibration ? b : a));
  const distances = DISTANCES.map((distance) => {
    const found = (answer: Answer): string[] => firstTen(answer, embedder, denseWeight, distance);
    return { distance, calibration: recallOf(calibration, found), held: recallOf(held, found) };
  });
  const measured: Record<string, number> = {};
  for (const [way, found] of ways) {
    measured[`${way}.recall@${LIMIT}`] = rounded(recallOf(all, found));
    measured[`${way}.recall@${LIMIT}.held-out half`] = rounded(recallOf(held, found));
    for (const [category, label] of Object.entries(CATEGORIES)) {
      const own = all.filter((answer) => answer.category === Number(category));
      measured[`${way}.recall@${LIMIT}.${label}`] = rounded(recallOf(own, found));
    }
  }
  const categories = Object.entries(CATEGORIES).map(([category, label]) => {
    const own = all.filter((answer) => answer.category === Number(category));
    return [`${label} (${own.length})`, ...ways.map(([, found]) => percent(recallOf(own, found)))];
  });
  return {
    name,
    measured,
    detail: { weights, distances, bestWeightOnCalibrationHalf: best.weight },
    text: [
      `${conversations.length} conversations, ${conversations.reduce((n, c) => n + textsOf(c).length, 0)} ${name}, ${all.length} questions.`,
      table(
        [`recall@${LIMIT}`, 'ranking', 'with the default threshold'],
        [
          ...categories,
          [`all (${all.length})`, ...ways.map(([, found]) => percent(recallOf(all, found)))],
          [
            `first half, calibrated on (${calibration.length})`,
            ...ways.map(([, found]) => percent(recallOf(calibration, found))),
          ],
          [`other half, held out (${held.length})`, ...ways.map(([, found]) => percent(recallOf(held, found)))],
        ],
      ),
      `Weight of meaning, no threshold (shipped: ${denseWeight}; best on the first half: ${best.weight}).`,
      table(
        ['weight', 'first half', 'other half'],
        weights.map((point) => [point.weight, percent(point.calibration), percent(point.held)]),
      ),
      `Threshold at the shipped weight (shipped: ${maxDistance}).`,
      table(
        ['max distance', 'first half', 'other half'],
        distances.map((point) => [point.distance, percent(point.calibration), percent(point.held)]),
      ),
    ].join('\n\n'),
  };
}

async function ask(
  { service, store }: MemoryUnderTest,
  embedder: Embedder,
  name: string,
  conversation: LocomoConversation,
  texts: readonly LocomoText[],
): Promise<Answer[]> {
  const scope = { tenantId: 'locomo', scope: name };
  const scoped = service.for(scope);
  const results = await scoped.addMany(texts.map(({ content }) => ({ content, kind: 'episodic' as const })));
  // The same words said twice are one memory, which then stands for both turns.
  const turnsOf = new Map<string, readonly string[]>();
  results.forEach(({ memory }, i) => {
    if (!memory) throw new Error(`A text of ${name} was not kept.`);
    turnsOf.set(memory.id, [...(turnsOf.get(memory.id) ?? []), ...(texts[i]?.turns ?? [])]);
  });
  const turns = (id: string): readonly string[] => turnsOf.get(id) ?? [];
  const answers: Answer[] = [];
  for (const question of conversation.questions) {
    const hits = await store.recall(scope, {
      searchText: searchText(question.ask),
      vector: { space: embedder.space, values: await embedder.embedQuery(question.ask) },
      mode: 'hybrid',
      limit: ROWS_MAX,
      denseWeight: embedder.calibration.denseWeight,
      maxDistance: null,
      minCoverage: null,
      minScore: null,
    });
    const recalled = await scoped.recall(question.ask, { limit: LIMIT });
    answers.push({
      category: question.category,
      evidence: question.evidence,
      rows: hits.map(({ memory, distance, coverage }) => ({
        turns: turns(memory.id),
        distance: distance ?? 2,
        coverage: coverage ?? 0,
      })),
      ranked: hits.slice(0, LIMIT).flatMap(({ memory }) => turns(memory.id)),
      recalled: recalled.flatMap(({ memory }) => turns(memory.id)),
      searchable: embedder.canSearch?.(question.ask) ?? true,
    });
  }
  return answers;
}

/** Recall's rule with another weight, or another threshold (null: none). */
function firstTen(answer: Answer, embedder: Embedder, weight: number, maxDistance: number | null): string[] {
  const { minCoverage, minScore } = embedder.calibration;
  return answer.rows
    .map((row) => ({ row, score: weight * Math.max(0, 1 - row.distance) + (1 - weight) * row.coverage }))
    .filter(
      ({ row, score }) =>
        maxDistance === null ||
        (answer.searchable && row.distance <= maxDistance) ||
        row.coverage >= minCoverage ||
        (minScore !== null && score >= minScore),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, LIMIT)
    .flatMap(({ row }) => row.turns);
}
