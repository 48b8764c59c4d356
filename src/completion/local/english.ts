import { InvalidOptionsError } from '../../errors/invalid-options-error.js';

/** What the rules ask of an English grammar. */
export interface English {
  /** Sentences in the order they stand; "Fly.io", "Dr. Smith" and "v1.2" do not end one. */
  sentences(text: string): string[];
  /** "eating" -> "eat", "got" -> "get". */
  infinitive(verb: string): string;
  /** Where "and" or "but" with a second verb begins ("I deploy on Fly.io and monitor with Grafana"); -1 where none does. */
  secondVerb(text: string): number;
  isPlace(text: string): boolean;
  isFirstName(word: string): boolean;
  /** Of a people or a language: "German", "Brazilian", "Mandarin". */
  isDemonym(word: string): boolean;
}

/** The little of `compromise` that is used, so that its own types are not needed to compile against this package. */
interface CompromiseView {
  has(match: string): boolean;
  match(pattern: string): { text(): string };
  /** One text a sentence. */
  out(format: 'array'): string[];
  tag(tag: string): CompromiseView;
  verbs(): { conjugate(): readonly { Infinitive?: string }[] };
}
/** A verb and what follows it: the last word of a sentence is mostly a noun, as in "food and drink". */
const SECOND_VERBS = [
  '(and|but) #Adverb? #Infinitive .',
  '(and|but) #Adverb? #PastTense (#Pronoun|#Determiner|#Preposition|#Possessive)',
];
/** Peoples and languages that the tagger takes for other words. */
const NOT_TAGGED =
  /^(?:spanish|english|british|polish|turkish|swedish|danish|finnish|irish|scottish|welsh|kurdish|flemish|yiddish|arabic|mandarin|cantonese|catalan|basque|galician|hindi|urdu|bengali|punjabi|tamil|telugu|marathi|gujarati|farsi|persian|tagalog|swahili|hebrew|latin|esperanto|afrikaans|igbo|yoruba|zulu)$/i;

/** Towns that the tagger knows neither with their accents nor without. */
const ACCENTED_TOWN =
  /(?<![\p{L}])(?:Köln|München|Nürnberg|Düsseldorf|Lübeck|Würzburg|Göttingen|Tübingen|Münster|Saarbrücken|Osnabrück|Mönchengladbach|Fürth|Zürich|Genève|Malmö|Göteborg|Jönköping|Norrköping|Linköping|Västerås|Örebro|Umeå|Luleå|Tromsø|Ålesund|Århus|Ålborg|Gdańsk|Łódź|Kraków|Wrocław|Poznań|Toruń|Białystok|Málaga|Córdoba|Cádiz|Logroño|Almería|Mérida|Cáceres|Brasília|Florianópolis|Goiânia|Belém|Asunción|Querétaro|Cancún|Orléans|Besançon|Saint-Étienne|Nîmes|Évora|Setúbal|Győr|Pécs|Brașov|Iași|Timișoara|Reykjavík|Plzeň|České Budějovice|Košice|Žilina|İzmir|Jyväskylä|Pärnu|Šiauliai|Klaipėda)(?![\p{L}])/u;

/** Without accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

interface Compromise {
  (text: string): CompromiseView;
  /** Parts a text into sentences and words without asking what each word is. */
  tokenize(text: string): Pick<CompromiseView, 'out'>;
}

/**
 * Loads the grammar; about 0.3 s and once for each process, which is why it waits for the first use.
 * @throws InvalidOptionsError when the optional peer `compromise` is not installed
 */
export async function loadEnglish(
  load: () => Promise<{ default: unknown }> = () => import('compromise'),
): Promise<English> {
  let nlp: Compromise;
  try {
    nlp = (await load()).default as Compromise;
  } catch (cause) {
    throw new InvalidOptionsError(
      'completion',
      'LocalCompletion needs the package "compromise", which is not installed. Run `npm install compromise`, or set another completion.',
      { cause },
    );
  }
  return {
    sentences: (text) => nlp.tokenize(text).out('array'),
    infinitive: (verb) => nlp(verb).tag('Verb').verbs().conjugate()[0]?.Infinitive ?? verb,
    secondVerb: (text) => {
      const read = nlp(text);
      const found = SECOND_VERBS.map((pattern) => read.match(pattern).text()).find((words) => words !== '');
      return found === undefined ? -1 : text.indexOf(found);
    },
    isPlace: (text) =>
      nlp(text).has('#Place') || ACCENTED_TOWN.test(text) || (text !== plain(text) && nlp(plain(text)).has('#Place')),
    isFirstName: (word) => nlp(word).has('^#FirstName$'),
    isDemonym: (word) => NOT_TAGGED.test(word) || nlp(word).has('^#Demonym$'),
  };
}
