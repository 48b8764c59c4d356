import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.js';
import { closeLaboratory } from './laboratory.js';
import { machine } from './machine.js';
import { exactness } from './exactness.js';
import { graphql } from './graphql.js';
import { growth } from './growth.js';
import { observation } from './observation.js';
import { recallBesideOthers } from './recall-beside-others.js';
import { subscriptions } from './subscriptions.js';
import { writing } from './writing.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string', default: 'bench/results/latest.json' },
    // Ten million on demand: 35 GB of disk, and as much of write-ahead log on the way.
    others: { type: 'string', default: '1000000' },
  },
});
// Growth last: it fills the table that the others measure in.
const BENCHES: readonly Bench[] = [
  recallBesideOthers,
  graphql,
  writing,
  exactness,
  growth(Number(values.others)),
  observation,
  subscriptions,
];
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. There are: ${BENCHES.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

const on = machine();
console.table(on);
const results = [];
try {
  for (const bench of BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    console.log(`\n${bench.name}: ${bench.question}`);
    const result = await bench.run((text) => process.stderr.write(`  ${text}\n`));
    console.table(result.setting);
    for (const table of result.tables ?? []) console.table(table);
    console.table(
      result.measurements.map(({ what, samples, median, p95 }) => ({
        what,
        samples,
        'median ms': median,
        'p95 ms': p95,
      })),
    );
    if (result.figures) {
      console.table(
        result.figures.map(({ what, mustReach, measured, reached }) => ({
          figure: what,
          'must reach': mustReach ?? '',
          measured,
          reached: reached === null ? '' : reached ? 'yes' : 'NO',
        })),
      );
    }
    results.push({ bench: bench.name, ...result });
  }
} finally {
  const file = resolve(values.json);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), machine: on, results }, null, 2)}\n`);
  console.log(`written to ${file}`);
  await closeLaboratory();
}
