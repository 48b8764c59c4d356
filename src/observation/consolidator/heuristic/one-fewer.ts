const LOST =
  /^(?:(\p{Lu}\p{L}+)|One of their (\p{L}+)) (?:passed away|died|ran away|was put (?:down|to sleep))(?: (?:on|in) .+)?$/u;
const GROUP = /^Has (two|three|four|five|six|[2-6]) ([\p{L} ]+?)(?: (?:called|named) (.+))?$/u;
const FEWER: Readonly<Record<string, string>> = {
  two: 'a',
  three: 'two',
  four: 'three',
  five: 'four',
  six: 'five',
  2: 'a',
  3: '2',
  4: '3',
  5: '4',
  6: '5',
};

/** "Has two cats called Miso and Tofu" after "Miso died": who is left. Null where nobody of them is gone. */
export function oneFewer(said: string, known: string): string | null {
  const [, name, kind] = LOST.exec(said.replace(/[.!]+$/, '')) ?? [];
  const [, count = '', animals = '', called = ''] = GROUP.exec(known.replace(/[.!]+$/, '')) ?? [];
  const fewer = FEWER[count];
  if (fewer === undefined) return null;
  const names = called === '' ? [] : called.split(/,? and |, /);
  const isOne = name === undefined ? kind === animals : names.includes(name);
  if (!isOne) return null;
  const kept = names.filter((each) => each !== name);
  const told = name === undefined || kept.length === 0 ? '' : ` called ${listed(kept)}`;
  return `Has ${fewer} ${fewer === 'a' ? animals.replace(/(?:ies|s)$/, (end) => (end === 'ies' ? 'y' : '')) : animals}${told}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
