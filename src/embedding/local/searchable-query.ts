import { isSmallTalk, wordsAfterSmallTalk } from '../../model/small-talk.js';

/** First words of a request about the text at hand or about nothing in particular. Advice (recommend, suggest, plan) is not here: it depends on whom it is for. */
const TASK_VERBS = new Set(
  (
    'answer analyse analyze calculate check compute continue convert correct debug define delete describe draft edit ' +
    'elaborate examine expand explain extract fix format generate give go help improve list make next open outline paraphrase ' +
    'print proceed proofread redo refactor regenerate repeat rephrase reply restart retry review rewrite run save shorten ' +
    'show simplify sing solve sort spell start stop summarise summarize tell translate try turn undo use wait write'
  ).split(' '),
);

/** Requests that are answered differently for different people. */
const ADVICE_VERBS = new Set('recommend suggest plan find book order buy choose pick remind'.split(' '));

/** What comes before the verb of a request, and bare answers, which are near to everything for a weak model. */
const LEAD_INS = new Set(
  'please pls can could would will you now just kindly yes yeah yep no nope sure maybe right exactly correct'.split(
    ' ',
  ),
);

/** Words by which people mean themselves. `me` alone is not one: "tell me a joke" says nothing about them. */
const SELF = new Set("i i'm i've i'd i'll my mine myself we we're we've our ours us".split(' '));

const QUESTION_STARTS = new Set(
  (
    "what what's who who's whose whom where where's when when's why which how how's is are was were do does did can could " +
    'will would should has have'
  ).split(' '),
);

/** "That was fast" is about the conversation. */
const POINTING = new Set("that that's this it it's these those".split(' '));

/** Most words of a bare topic, as typed into a search box: "dinner ideas for tonight". */
const TOPIC_WORDS = 4;

/**
 * Whether a weak model's distances mean anything for this query: whether it is about the person who asks, seeks advice,
 * or is a bare topic. Small talk, requests about the text at hand and questions about the world lie as near to some
 * memory as a true question does; for these, words alone must answer.
 */
export function isSearchable(query: string): boolean {
  if (isSmallTalk(query)) return false;
  const said = wordsAfterSmallTalk(query);
  if (said.some((word) => SELF.has(word))) return true;
  const start = said.findIndex((word) => !LEAD_INS.has(word));
  const first = said[start];
  if (first === undefined || TASK_VERBS.has(first)) return false;
  if (ADVICE_VERBS.has(first)) return true;
  const asks = /\?\s*$/u.test(query) || QUESTION_STARTS.has(said[0] as string) || QUESTION_STARTS.has(first);
  if (asks) return said.includes('me');
  return said.length - start <= TOPIC_WORDS && !POINTING.has(first);
}
