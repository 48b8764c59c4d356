const SENTENCES = [
  'Ordered {thing} from the shop in {place}',
  'Prefers {thing} over anything else when in {place}',
  'Wants to learn how {thing} is made in {place}',
  'Gave {thing} to a colleague from {place}',
  'Is planning a trip to {place} to look for {thing}',
  'Wrote a short note on {thing} for the office in {place}',
  'Lost {thing} on the way to {place}',
  'Keeps {thing} in a box from {place}',
  'Repaired {thing} with a friend in {place}',
  'Reads about {thing} every Sunday in {place}',
];
const THINGS = [
  'a copper kettle',
  'running shoes',
  'a blue notebook',
  'oat milk',
  'a fountain pen',
  'a rain jacket',
  'jazz records',
  'a bread knife',
  'chess books',
  'a film camera',
];
const PLACES = ['Lisbon', 'Oslo', 'Kyoto', 'Denver', 'Nairobi', 'Leipzig', 'Porto', 'Quito', 'Tallinn', 'Hobart'];

/** A thousand sentences, all different, the same in every run. */
export function thousandMemories(): string[] {
  return SENTENCES.flatMap((sentence) =>
    THINGS.flatMap((thing) => PLACES.map((place) => sentence.replace('{thing}', thing).replace('{place}', place))),
  );
}

/** Questions that share words with some, and questions that share none. */
export function questions(): string[] {
  return [
    ...THINGS.map((thing) => `Where did I leave ${thing}?`),
    ...PLACES.map((place) => `What do I like about ${place}?`),
    'Which hobby should I spend my evening on?',
    'What did I give to my colleague?',
    'Do I own anything made of metal?',
    'What am I looking for on my travels?',
    'Which music do I listen to?',
  ];
}
