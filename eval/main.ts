import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LocalEmbedder } from '../src/embedding/local/local-embedder.js';
import { CachingEmbedder } from './caching-embedder.js';
import { consolidationSuite } from './consolidation-suite.js';
import { extractionSuite } from './extraction-suite.js';
import { LABELLED_FLOORS, LOCOMO_FLOORS, missedFloors } from './floors.js';
import type { MissedFloor } from './floors.js';
import { readLocomo } from './locomo/locomo-dataset.js';
import { locomoSuite } from './locomo/locomo-suite.js';
import { startMemory } from './memory-under-test.js';
import { recallSuite } from './recall-suite.js';
import type { SuiteReport } from './suite-report.js';

const USAGE = `npm run eval                                        labelled personas, a minute at most
npm run eval -- --dataset locomo --file <locomo10.json>   retrieval on LoCoMo, some minutes
  --json <file>   write all figures there
  --cache <file>  keep LoCoMo's vectors for the next run (default node_modules/.cache/engram-eval/vectors.bin)`;

interface Arguments {
  readonly dataset: 'labelled' | 'locomo';
  readonly file: string | undefined;
  readonly json: string | undefined;
  readonly cache: string;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      dataset: { type: 'string', default: 'labelled' },
      file: { type: 'string' },
      json: { type: 'string' },
      cache: { type: 'string', default: 'node_modules/.cache/engram-eval/vectors.bin' },
    },
  });
  const { dataset, file } = values;
  if (dataset !== 'labelled' && dataset !== 'locomo') throw new Error(`Unknown dataset.\n${USAGE}`);
  if (dataset === 'locomo' && file === undefined) throw new Error(`LoCoMo needs --file.\n${USAGE}`);
  return { dataset, file, json: values.json, cache: values.cache };
}

async function labelled(): Promise<SuiteReport[]> {
  const embedder = new CachingEmbedder(new LocalEmbedder(), null);
  const memory = await startMemory(embedder);
  try {
    return [
      await recallSuite(memory, embedder),
      await extractionSuite(memory),
      await consolidationSuite(memory, embedder),
    ];
  } finally {
    await memory.close();
    await embedder.stop();
  }
}

function report(suites: readonly SuiteReport[], missed: readonly MissedFloor[]): void {
  for (const { name, text } of suites) console.log(`\n== ${name} ==\n\n${text}`);
  for (const { metric, least, measured, why } of missed) {
    console.log(`\nMISSED: ${metric} is ${measured ?? 'not measured'}, must be at least ${least}. ${why}`);
  }
  if (missed.length === 0) console.log('\nAll floors hold.');
}

const { dataset, file, json, cache } = readArguments();
const suites = dataset === 'locomo' ? await locomoSuite(readLocomo(file as string), cache) : await labelled();
const measured = Object.fromEntries(
  suites.flatMap((suite) => Object.entries(suite.measured).map(([name, value]) => [`${suite.name}.${name}`, value])),
);
const missed = missedFloors(dataset === 'locomo' ? LOCOMO_FLOORS : LABELLED_FLOORS, measured);
report(suites, missed);
if (json !== undefined) {
  const detail = Object.fromEntries(suites.map((suite) => [suite.name, suite.detail ?? null]));
  writeFileSync(json, `${JSON.stringify({ dataset, measured, missed, detail }, null, 2)}\n`);
}
process.exitCode = missed.length > 0 ? 1 : 0;
