import { isSmallTalk, wordsAfterSmallTalk } from '../../model/small-talk.js';

/** First words of a request about the text at hand or about nothing in particular. Advice (recommend, suggest, plan) is not here: it depends on whom it is for. */
const TASK_VERBS = new Set(
  (
    'answer analyse analyze calculate check compute continue convert correct debug define delete describe draft edit ' +
    'elaborate examine expand explain extract fix format generate give go help improve list make next open outline paraphrase ' +
    'print proceed proofread redo refactor regenerate repeat rephrase reply restart retry review rewrite run save shorten ' +
    'show simplify sing solve sort spell start stop summarise summarize tell translate try undo wait write'
  ).split(' '),
);

const POLITE = new Set(['please', 'pls', 'can', 'could', 'would', 'will', 'you', 'now', 'just', 'kindly']);

/** Words by which people mean themselves. Not `me`: "tell me", "give me" say nothing about them; `for me` is too common in requests. */
const SELF = new Set("i i'm i've i'd i'll my mine myself we we're we've our ours us am".split(' '));

/** A yes or no is an answer to something, and near to everything for a weak model. */
const ANSWERS = new Set(['yes', 'yeah', 'yep', 'no', 'nope', 'sure', 'maybe', 'right', 'exactly', 'correct', 'please']);

/**
 * Whether a weak model's distances mean anything for this query. Small talk, bare answers and requests that say nothing
 * of the person lie as near to any memory as a true question does; for these, words alone must answer.
 */
export function isSearchable(query: string): boolean {
  if (isSmallTalk(query)) return false;
  const said = wordsAfterSmallTalk(query);
  if (said.length === 0 || said.every((word) => ANSWERS.has(word))) return false;
  if (said.some((word) => SELF.has(word))) return true;
  const first = said.find((word) => !POLITE.has(word));
  return first !== undefined && !TASK_VERBS.has(first);
}
