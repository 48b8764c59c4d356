import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadEnglish } from '../src/completion/local/english.js';
import type { English } from '../src/completion/local/english.js';
import { statementsIn } from '../src/completion/local/statements.js';
import { consolidateByRules } from '../src/observation/consolidator/heuristic/heuristic-consolidator.js';
import type { RuledNeighbour } from '../src/observation/consolidator/heuristic/heuristic-consolidator.js';

let english: English;

beforeAll(async () => {
  english = await loadEnglish();
});

/** What is remembered after the messages, one turn each, by rules alone. */
function rememberedAfter(messages: readonly string[]): string[] {
  let memories: RuledNeighbour[] = [];
  for (const message of messages) {
    for (const candidate of statementsIn(message, english, new Date('2026-03-04T12:00:00Z'), null)) {
      const decision = consolidateByRules(candidate, memories);
      const memory = { content: candidate.content, kind: candidate.kind, score: 0.5, distance: 0.5 };
      if (decision.action === 'add') memories.push({ ...memory, id: String(memories.length) });
      if (decision.action === 'forget') memories = memories.filter(({ id }) => id !== decision.memoryId);
      if (decision.action === 'update') {
        memories = memories.map((known) =>
          known.id === decision.memoryId ? { ...memory, id: known.id, content: decision.content } : known,
        );
      }
    }
  }
  return memories.map(({ content }) => content);
}

describe('a user who changes their mind', () => {
  it.each<[readonly string[], readonly string[]]>([
    [["I'm on the Pro plan.", 'I switched from the Pro plan to Enterprise'], ['Is on the Enterprise plan']],
    [['I love noodles.', "I can't stand noodles any more."], ['Cannot stand noodles']],
    [['I hate olives.', 'Actually, I love olives now.'], ['Loves olives']],
    [['I live in Berlin.', 'I moved from Berlin to Munich.'], ['Lives in Munich']],
    [['I live in Berlin.', "I don't live in Berlin, I live in Graz."], ['Lives in Graz']],
    [['I use Heroku.', 'I no longer use Heroku.'], ['Does not use Heroku']],
    [['I deploy on Heroku.', 'We migrated to GCP.'], ['Deploys on GCP']],
    [['I deploy on Heroku.', 'We moved from Heroku to Fly.io.'], ['Deploys on Fly.io']],
    [['I eat meat.', "I don't eat meat any more.", 'I eat meat again.'], ['Eats meat']],
    [['I work at Siemens.', 'I left Siemens.', 'I work at Bosch.'], ['Works at Bosch']],
    [['Please keep your answers short.', 'I prefer detailed answers.'], ['Prefers detailed answers']],
    [['Always answer in German.', 'Always answer in English.'], ['Wants answers in English']],
    [['My name is Anna.', 'I changed my name to Alex.'], ['Is called Alex']],
    [['My favourite colour is green.', 'My favorite color is blue.'], ['Favorite color is blue']],
    [["I'm vegetarian.", "I'm not vegetarian any more."], ['Is not vegetarian']],
    [
      ['I want to run a marathon in May.', "I'm vegan."],
      ['Wants to run a marathon in May', 'Is vegan'],
    ],
  ])('%j leaves %j', (messages, remembered) => {
    expect(rememberedAfter(messages)).toEqual(remembered);
  });

  it.each<[readonly string[], readonly string[]]>([
    [
      ['My dog is called Rex.', 'My dog is called Bello.'],
      ['Has a dog called Rex', 'Has a dog called Bello'],
    ],
    [
      ['My daughter is called Mia.', 'My other daughter is called Lea.'],
      ['Has a daughter called Mia', 'Has another daughter called Lea'],
    ],
    [['I live in Berlin.', 'My friend lives in Rome.', 'My brother moved to Oslo.'], ['Lives in Berlin']],
    [
      ['I use Postgres 16.', 'I use Postgres 15 at work.'],
      ['Uses Postgres 16', 'Uses Postgres 15 at work'],
    ],
    [
      ['I work at Siemens.', 'I also work for Bosch on Fridays.'],
      ['Works at Siemens', 'Also works for Bosch on Fridays'],
    ],
    [
      ['I like jazz.', "I don't like techno."],
      ['Likes jazz', 'Does not like techno'],
    ],
    [
      ['My app is called Ledgerly.', 'My app is called Tally.'],
      ['Has an app called Ledgerly', 'Has an app called Tally'],
    ],
  ])('%j is no change of mind: %j', (messages, remembered) => {
    expect(rememberedAfter(messages)).toEqual(remembered);
  });

  it('says everything twice and is remembered once', () => {
    const said = [
      "I'm on the Pro plan, and please keep answers short.",
      "I deploy on Fly.io, I'm vegetarian and my app is called Ledgerly.",
    ];

    expect(rememberedAfter([...said, ...said])).toEqual(rememberedAfter(said));
    expect(rememberedAfter(said)).toHaveLength(5);
  });
});
