import type { DecisionAction } from '../../src/model/decision.js';
import type { MemoryKind } from '../../src/model/kind.js';

/** What is known, what is learned, and what must become of it. */
export interface ConsolidationCase {
  readonly known: readonly string[];
  readonly candidate: string;
  readonly kind: MemoryKind;
  readonly action: Exclude<DecisionAction, 'merge'>;
  /** Index in `known` that an update, a forget or a noop is about. */
  readonly target?: number;
}

function about(
  known: readonly string[],
  candidate: string,
  action: ConsolidationCase['action'],
  target?: number,
  kind: MemoryKind = 'fact',
): ConsolidationCase {
  return target === undefined ? { known, candidate, kind, action } : { known, candidate, kind, action, target };
}

export const CONSOLIDATION_CASES: readonly ConsolidationCase[] = [
  about(['Is on the Free plan'], 'Is on the Business plan', 'update', 0),
  about(['Lives in Oslo', 'Works in Bergen'], 'Lives in Bergen', 'update', 0),
  about(['Deploys on Heroku', 'Uses Postgres'], 'Deploys on Render', 'update', 0),
  about(['Prefers long answers'], 'Prefers short answers', 'update', 0, 'preference'),
  about(['Is a vegetarian', 'Has a dog'], 'Is no longer a vegetarian', 'forget', 0),
  about(['Works as a teacher'], 'No longer works as a teacher', 'forget', 0),
  about(['Name is Kim'], 'Name is Kim', 'noop', 0),
  about(['Is allergic to peanuts'], 'is allergic to peanuts.', 'noop', 0),
  about(['Lives in Oslo'], 'Lives in Oslo', 'noop', 0),
  about(['Has a cat named Tofu'], 'Has a dog named Rex', 'add'),
  about(['Is allergic to peanuts'], 'Is allergic to shellfish', 'add'),
  about(['Speaks French'], 'Speaks Korean', 'add'),
  about(['Sister lives in Rome'], 'Lives in Milan', 'add'),
  about(['Hosts the frontend on Vercel'], 'Hosts the backend on Fly.io', 'add'),
  about(['Likes tea'], 'Is on the Pro plan', 'add'),
  about([], 'Works as a nurse', 'add'),
  about(['Likes coffee'], 'Does not like coffee', 'update', 0, 'preference'),
  about(['Wants to run a marathon'], 'Wants to learn the piano', 'add', undefined, 'goal'),
  about(['Birthday is on 3 May', 'Wife’s birthday is on 9 June'], 'Birthday is on 4 May', 'update', 0),
  about(['Weighs 80 kilos'], 'Weighs 77 kilos', 'update', 0),
];

/** A changed mind, said in the user's words: the old statement must be gone and the new one must be kept, once. */
export const CONTRADICTIONS: readonly {
  readonly known: string;
  readonly kind: MemoryKind;
  readonly said: string;
  /** Lower-case word that only the new state has. */
  readonly now: string;
  /** Lower-case word that only the old state has. */
  readonly before: string;
}[] = [
  {
    known: 'Is on the Basic plan',
    kind: 'fact',
    said: 'I switched from the Basic plan to Premium.',
    now: 'premium',
    before: 'basic',
  },
  { known: 'Lives in Hamburg', kind: 'fact', said: 'I moved to Cologne.', now: 'cologne', before: 'hamburg' },
  { known: 'Deploys on Heroku', kind: 'fact', said: 'I deploy on Render now.', now: 'render', before: 'heroku' },
  { known: 'Works at Siemens', kind: 'fact', said: 'I work at Bosch now.', now: 'bosch', before: 'siemens' },
  { known: 'Prefers dark mode', kind: 'preference', said: 'I prefer light mode now.', now: 'light', before: 'dark' },
  { known: 'Name is Chris', kind: 'fact', said: 'My name is Christina.', now: 'christina', before: 'chris ' },
  {
    known: 'Favourite colour is blue',
    kind: 'preference',
    said: 'My favourite colour is red.',
    now: 'red',
    before: 'blue',
  },
  { known: 'Uses MySQL', kind: 'fact', said: 'I switched from MySQL to Postgres.', now: 'postgres', before: 'mysql' },
  { known: 'Is 29 years old', kind: 'fact', said: 'I am 30 years old.', now: '30', before: '29' },
  { known: 'Drives a Golf', kind: 'fact', said: 'I drive a Tesla now.', now: 'tesla', before: 'golf' },
];

/** The same thing said again: without consolidation each would be one more row. */
export const REPEATED: readonly (readonly string[])[] = [
  ['I live in Lyon.', 'I live in Lyon!', 'Hi, I live in Lyon.'],
  ["I'm allergic to bees.", 'I am allergic to bees.', 'I’m allergic to bees'],
  ['I use Vim.', 'i use vim', 'I use Vim.'],
  ['My cat is called Miso.', 'My cat is called Miso, by the way.', 'my cat is called Miso'],
  ['I prefer short answers.', 'I prefer short answers', 'I prefer short answers please.'],
];
