import type { MemoryKind } from '../../src/model/kind.js';
import type { Message } from '../../src/model/message.js';

/** One turn, and what must be learned from it. */
export interface ExtractionCase {
  readonly messages: readonly Message[];
  /** Each statement is recognised by words that it must hold, in lower case. Empty: nothing may be learned. */
  readonly facts: readonly { readonly words: readonly string[]; readonly kind: MemoryKind }[];
}

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

function learns(said: string, ...facts: readonly (readonly [MemoryKind, string])[]): ExtractionCase {
  return { messages: [user(said)], facts: facts.map(([kind, words]) => ({ kind, words: words.split(' ') })) };
}

function learnsNothing(...messages: readonly Message[]): ExtractionCase {
  return { messages, facts: [] };
}

export const EXTRACTION_CASES: readonly ExtractionCase[] = [
  learns("I'm on the Business plan.", ['fact', 'business plan']),
  learns('I live in Glasgow with my two kids.', ['fact', 'glasgow']),
  learns("I'm vegan and I have a nut allergy.", ['preference', 'vegan'], ['fact', 'nut']),
  learns('My name is Oluwaseun.', ['fact', 'oluwaseun']),
  learns('I work as a dentist in Leipzig.', ['fact', 'dentist']),
  learns('I prefer metric units.', ['preference', 'metric']),
  learns('Please always answer in German.', ['instruction', 'german']),
  learns('Keep your answers under five sentences, please.', ['instruction', 'five sentences']),
  learns('Never use emojis when you write to me.', ['instruction', 'emojis']),
  learns('I want to run a marathon next year.', ['goal', 'marathon']),
  learns("I'm trying to learn Japanese.", ['goal', 'japanese']),
  learns('My dog is called Biscuit.', ['fact', 'biscuit']),
  learns('I hate olives.', ['preference', 'olives']),
  learns("I don't eat pork.", ['preference', 'pork']),
  learns('I no longer work at Siemens.', ['fact', 'siemens']),
  learns('I moved to Madrid last month.', ['fact', 'madrid']),
  learns('We host everything on Azure.', ['fact', 'azure']),
  learns('My favourite colour is green.', ['preference', 'green']),
  learns('I use Postgres and Redis.', ['fact', 'postgres'], ['fact', 'redis']),
  learns("Hi! I'm Marta, I run a flower shop.", ['fact', 'marta'], ['fact', 'flower']),
  learns('I was diagnosed with diabetes in 2015.', ['episodic', 'diabetes']),
  learns('I have been playing the cello for ten years. Can you recommend a teacher?', ['fact', 'cello']),
  learns('What should I cook? I only have a microwave.', ['fact', 'microwave']),
  learns('My wife is allergic to cats.', ['fact', 'wife cats']),
  learns('I switched from the Basic plan to Premium.', ['fact', 'premium']),
  learns('I can speak Arabic and French.', ['fact', 'arabic']),
  learns("I'm not a morning person.", ['fact', 'morning']),
  {
    messages: [user('I am left-handed.'), assistant('Noted! Most scissors are made for right-handed people.')],
    facts: [{ kind: 'fact', words: ['left-handed'] }],
  },
  learnsNothing(user('hi there')),
  learnsNothing(user('ok thanks, bye')),
  learnsNothing(user('What is the capital of Peru?')),
  learnsNothing(user('Do I need a visa for India?')),
  learnsNothing(user('If I were vegetarian, what would I eat?')),
  learnsNothing(user('Should I move to Berlin?')),
  learnsNothing(user('My friend Tom says he lives in Ohio.')),
  learnsNothing(user('She said "I am a doctor".')),
  learnsNothing(user('Translate: I am allergic to shellfish.')),
  learnsNothing(user('What is my plan?'), assistant('I am a helpful assistant and I live in the cloud.')),
  learnsNothing(user('Maybe I will buy a bike one day.')),
  learnsNothing(user('Write a poem in which I am a king.')),
  learnsNothing(user('I think it might rain.')),
  learnsNothing(user('Thanks, I see.')),
  learnsNothing(user('The server is slow today.')),
  learnsNothing(user('Can you fix this function?')),
];
