import { ALL_LET_IN, LIMIT, MAX_DISTANCE } from './baselines/contestant.js';
import type { Contestant, Question } from './baselines/contestant.js';
import { floor } from './baselines/floor.js';
import type { GivenVectors } from './baselines/given-vectors.js';
import { baselineVersions, installBaselines } from './baselines/install.js';
import { langGraph } from './baselines/langgraph.js';
import { mem0 } from './baselines/mem0.js';
import { fillRecipe, recipe } from './baselines/recipe.js';
import { measurement, ratio, timed } from './bench.js';
import type { Bench, Measurement } from './bench.js';
import {
  DIMENSIONS,
  MEMORIES_SOURCE,
  QUESTIONS_OF_A_SCOPE,
  SCOPES,
  TENANT,
  openLaboratory,
  scopeName,
} from './laboratory.js';
import type { OpenedMemory } from './laboratory.js';
import { randomNumbers } from './topical-vectors.js';

const ROUNDS = 15;
/** Recalls before any is measured: a server that has run for a minute has compiled what it runs. */
const WARMING = 1_000;
const SCOPES_ASKED = 10;
/**
 * Connections each that ours and the floor are measured on. How quick a process of the server is, is its luck for as long as
 * it lives: with one each, their ratio was 1.06 in one run and 1.27 in the next.
 */
const CONNECTIONS = 3;
/** Times that each contestant goes through all scopes, and is measured the second time. */
const TOURS = 4;

function engram(memories: OpenedMemory['memories'], mode: 'vector' | 'hybrid', maxDistance = MAX_DISTANCE): Contestant {
  return {
    name: `recall, ${mode}`,
    async recall(scope, { text }) {
      const memory = memories.for({ tenantId: TENANT, scope: scopeName(scope) });
      return (await memory.recall(text, { mode, limit: LIMIT, maxDistance })).length;
    },
    close: () => Promise.resolve(),
  };
}

/** Contestants that differ by their connection alone, as one: each comes on for the questions of a scope, asked twice. */
function inTurn(alike: readonly [Contestant, ...Contestant[]]): Contestant {
  let calls = 0;
  return {
    name: alike[0].name,
    recall(scope, question) {
      const turn = Math.floor(calls / (2 * QUESTIONS_OF_A_SCOPE)) % alike.length;
      calls += 1;
      return (alike[turn] ?? alike[0]).recall(scope, question);
    },
    async close() {
      for (const contestant of alike) await contestant.close();
    },
  };
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, place: random() }))
    .sort((x, y) => x.place - y.place)
    .map(({ item }) => item);
}

/**
 * All scopes in turn, as users come, each contestant by itself: what it keeps in the server's buffers is what it has read,
 * and a scope comes again only after all others. The first tour of each block finds what the contestant before left there.
 */
async function tours(
  contestants: readonly Contestant[],
  questions: readonly (readonly Question[])[],
  random: () => number,
): Promise<Map<Contestant, number[]>> {
  const times = new Map(contestants.map((contestant) => [contestant, [] as number[]]));
  for (let tour = 0; tour < TOURS; tour += 1) {
    for (const contestant of shuffled(contestants, random)) {
      for (const counts of [false, true]) {
        for (const [scope, asked] of shuffled([...questions.entries()], random)) {
          const question = asked[tour % asked.length] as Question;
          const time = await timed(() => contestant.recall(scope, question));
          if (counts) times.get(contestant)?.push(time);
        }
      }
    }
  }
  return times;
}

export const recallBesideOthers: Bench = {
  name: 'recall',
  question: `What does a top-${LIMIT} recall cost in a scope of 1,000 memories, beside what others do with the same vectors?`,

  async run(progress) {
    installBaselines(progress);
    const laboratory = await openLaboratory(progress);
    const { url, embedder } = laboratory;
    const anyVector = laboratory.questions[0]?.[0]?.vector ?? [];
    const place = { tenantId: TENANT, scopeName, space: embedder.space };
    const vectors: GivenVectors = {
      dimensions: DIMENSIONS,
      embedQuery: (text) => embedder.embedQuery(text),
      // mem0ai also embeds names that it finds in a question, to look in a table that is empty here: any vector will do.
      embedDocuments: (texts) => Promise.resolve(texts.map(() => [...anyVector])),
    };
    progress('filling the tables of (c) mem0ai');
    const c = await mem0(url, vectors, MEMORIES_SOURCE);
    progress('filling the tables of (d) LangGraph');
    const d = await langGraph(url, vectors, MEMORIES_SOURCE);
    progress('filling the tables of (a), and building its HNSW index');
    await fillRecipe(url, DIMENSIONS, MEMORIES_SOURCE);
    await laboratory.sql.query('VACUUM (ANALYZE)');

    const apps: OpenedMemory[] = [];
    for (let number = 0; number < CONNECTIONS; number += 1) apps.push(await laboratory.open(''));
    const onEach = (of: (app: OpenedMemory) => Contestant): Contestant =>
      inTurn(apps.map(of) as [Contestant, ...Contestant[]]);
    const vector = onEach(({ memories }) => engram(memories, 'vector'));
    const hybrid = onEach(({ memories }) => engram(memories, 'hybrid'));
    const b = onEach(() => floor(url, place, true));
    const a = recipe(url, MAX_DISTANCE);
    const lettingAllIn = (contestant: Contestant): Contestant => ({
      ...contestant,
      name: `${contestant.name}, all memories let in`,
    });
    const vectorOfAll = lettingAllIn(onEach(({ memories }) => engram(memories, 'vector', ALL_LET_IN)));
    const aOfAll = lettingAllIn(recipe(url, ALL_LET_IN));
    const contestants = [vector, hybrid, b, floor(url, place, false), a, d, c, vectorOfAll, aOfAll];
    const times = new Map(contestants.map((contestant) => [contestant, [] as number[]]));
    const found = new Map(contestants.map((contestant) => [contestant, 0]));
    for (let call = 0; call < WARMING; call += 1) {
      const scope = call % SCOPES_ASKED;
      const question = laboratory.questions[scope]?.[0];
      for (const contestant of [vector, hybrid, b, a, vectorOfAll, aOfAll])
        if (question) await contestant.recall(scope, question);
    }
    progress('warmed');
    const random = randomNumbers(2);
    // The first round connects and plans; it does not count.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [scope, questions] of laboratory.questions.slice(0, SCOPES_ASKED).entries()) {
        // Side by side, so that whatever else the machine does falls on all of them; in any order, so that nobody always
        // finds the caches and the heap as the slowest one left them.
        for (const contestant of shuffled(contestants, random)) {
          // All questions once before any is measured. An app that recalls does little else in that process: what is found
          // cold after another contestant, code, heap and pages, is the bench's doing.
          for (const question of questions) await contestant.recall(scope, question);
          for (const question of questions) {
            let count = 0;
            const time = await timed(async () => (count = await contestant.recall(scope, question)));
            if (round === 0) continue;
            times.get(contestant)?.push(time);
            found.set(contestant, (found.get(contestant) ?? 0) + count);
          }
        }
      }
      progress(`measured round ${round} of ${ROUNDS}`);
    }
    const toured = await tours(contestants, laboratory.questions, random);
    progress(`measured ${TOURS} tours of all scopes`);
    for (const contestant of contestants) await contestant.close();
    for (const app of apps) await app.close();

    const measured = (of: ReadonlyMap<Contestant, readonly number[]>, where: string): Measurement[] =>
      contestants.map((contestant) => measurement(`${contestant.name}${where}`, of.get(contestant) ?? []));
    const measurements = measured(times, '');
    const onTour = measured(toured, ', all scopes in turn');
    const median = (contestant: Contestant): number => measurements[contestants.indexOf(contestant)]?.median ?? NaN;
    const tourMedian = (contestant: Contestant): number => onTour[contestants.indexOf(contestant)]?.median ?? NaN;
    const asked = times.get(vector)?.length ?? 1;
    return {
      setting: {
        memories: `${SCOPES} scopes of 1,000, ${DIMENSIONS} dimensions`,
        server: laboratory.server,
        others: baselineVersions().join(', '),
        'found on average': contestants
          .map((contestant) => `${contestant.name}: ${((found.get(contestant) ?? 0) / asked).toFixed(1)}`)
          .join('; '),
      },
      measurements: [...measurements, ...onTour],
      figures: [
        ratio('recall (vector) against the floor (b)', median(vector), median(b), { atMost: 1.25 }),
        ratio(
          '(a) recipe schema against recall (vector), all memories let in, so that each distance is computed twice',
          median(aOfAll),
          median(vectorOfAll),
          { atLeast: 4 },
        ),
        ratio('the same where the threshold lets one in twenty in', median(a), median(vector)),
        ratio('(c) mem0ai against recall (vector)', median(c), median(vector), { atLeast: 10 }),
        ratio('(d) LangGraph against recall (vector)', median(d), median(vector), { atLeast: 5 }),
        ratio('recall (hybrid) against recall (vector)', median(hybrid), median(vector), { atMost: 2.5 }),
        ratio('all scopes in turn: recall (vector) against the floor (b)', tourMedian(vector), tourMedian(b)),
        ratio(
          'all scopes in turn: (a) recipe schema against recall (vector), all memories let in',
          tourMedian(aOfAll),
          tourMedian(vectorOfAll),
        ),
        ratio('all scopes in turn: the same where one in twenty is let in', tourMedian(a), tourMedian(vector)),
      ],
    };
  },
};
