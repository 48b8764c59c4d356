import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.js';
import { machine } from './machine.js';
import { recallOverGraphQL } from './recall-over-graphql.js';

const BENCHES: readonly Bench[] = [recallOverGraphQL];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string', default: 'bench/results/latest.json' } },
});
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. There are: ${BENCHES.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

const on = machine();
console.table(on);
const results = [];
for (const bench of BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  console.log(`\n${bench.name}: ${bench.question}`);
  const result = await bench.run((text) => process.stderr.write(`  ${text}\n`));
  console.table(result.setting);
  console.table(
    result.measurements.map(({ what, samples, median, p95 }) => ({
      what,
      samples,
      'median ms': median,
      'p95 ms': p95,
    })),
  );
  results.push({ bench: bench.name, ...result });
}

const file = resolve(values.json);
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), machine: on, results }, null, 2)}\n`);
console.log(`written to ${file}`);
