import { randomNumbers } from '../../bench/topical-vectors.js';
import type { Message } from '../../src/model/message.js';
import type { Scope } from '../../src/model/scope.js';

export interface ToldTurn {
  readonly scope: Scope;
  readonly turnId: string;
  readonly messages: readonly Message[];
  readonly occurredAt: Date;
}

const SUBJECTS = ['colour', 'city', 'car', 'tea', 'film'];
const VALUES = ['red', 'grey', 'plain', 'small', 'loud', 'quiet', 'new'];
const FIRST_SAID = Date.parse('2026-01-01T08:00:00Z');

/** What the users of so many scopes say, in order, scope by scope: the same in every run. */
export function toldTurns({ scopes, turns }: { scopes: number; turns: number }): ToldTurn[][] {
  return Array.from({ length: scopes }, (_, number) => {
    const random = randomNumbers(number + 1);
    const boats: string[] = [];
    const scope = { tenantId: `tenant-${number % 3}`, scope: `user:${number}` };
    return Array.from({ length: Math.ceil(turns / scopes) }, (_turn, place) => ({
      scope,
      turnId: `turn-${place}`,
      occurredAt: new Date(FIRST_SAID + place * 60_000),
      messages: [
        { role: 'user', content: lines(place, boats, random).join('\n') },
        { role: 'assistant', content: 'Noted.' },
      ],
    }));
  });
}

/** What one turn says. Each subject stands in it once, so that the order inside a turn does not matter. */
function lines(place: number, boats: string[], random: () => number): string[] {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const first = one(SUBJECTS);
  const second = one(SUBJECTS.filter((subject) => subject !== first));
  const importance = `(0.${1 + Math.floor(random() * 9)})`;
  switch (place % 12) {
    case 3:
      return ['ok thanks'];
    case 5:
      return ['Refuse.'];
    case 7:
      return ['Secret.', 'Slow.'];
    case 8:
      return [`Has no favourite ${first} any more.`, `Owns boat ${one(boats)}. ${importance}`];
    case 9: {
      const boat = one(boats);
      // Onto another one's name: the two become one memory.
      return [`Renames boat ${boat} to boat ${one(boats.filter((other) => other !== boat)) ?? boatName(place)}.`];
    }
    case 10:
      return [`Renames boat ${one(boats)} to boat ${boatName(1_000 + place)}.`];
    case 11:
      return ['What is the weather like?'];
    default:
      boats.push(random() < 0.5 && boats.length > 0 ? one(boats) : boatName(place));
      return [
        `Favourite ${first} is ${one(VALUES)}. ${importance}`,
        `Favourite ${second} is ${one(VALUES)}. ${importance}`,
        `Owns boat ${boats.at(-1)}. ${importance}`,
      ];
  }
}

/** A word of its own for each number: figures in a sentence are bound by rules of their own. */
function boatName(number: number): string {
  const syllable = (figure: number): string =>
    `${'bdfgklmnprstvz'[figure % 14]}${'aeiou'[Math.floor(figure / 14) % 5]}`;
  return [number, Math.floor(number / 70), Math.floor(number / 4_900) + 20].map(syllable).join('');
}

/** The sentences that must be left of a scope's turns, found without any of the code that is tested. Sorted. */
export function knownAfter(turns: readonly ToldTurn[]): string[] {
  const favourites = new Map<string, string>();
  const boats = new Set<string>();
  for (const line of turns.flatMap(({ messages }) => (messages[0]?.content ?? '').split('\n'))) {
    const [, subject, value] = /^Favourite (\w+) is (\w+)\./.exec(line) ?? [];
    const [, dropped] = /^Has no favourite (\w+) any more/.exec(line) ?? [];
    const [, boat] = /^Owns (boat \w+)\./.exec(line) ?? [];
    const [, oldName, newName] = /^Renames (boat \w+) to (boat \w+)\./.exec(line) ?? [];
    if (subject && value) favourites.set(subject, value);
    if (dropped) favourites.delete(dropped);
    if (boat) boats.add(boat);
    if (oldName && newName && boats.delete(oldName)) boats.add(newName);
  }
  return [
    ...[...favourites].map(([subject, value]) => `Favourite ${subject} is ${value}.`),
    ...[...boats].map((boat) => `Owns ${boat}.`),
  ].sort();
}
