/** What software work is done to; the object that makes "is running ..." a task and not a life. */
const WORK =
  '(?:unit |integration |e2e |test |(?:ci|cron|build|batch|background) (?=job))?(?:tests?|specs?|suite|builds?|pipelines?|ci|lint(?:er)?|type ?check(?:er)?|migrations?|deploy(?:ment)?s?|scripts?|commands?|quer(?:y|ies)|jobs?|install(?:ation)?|benchmarks?|compilation|logs?|diff|patch|commit|pull request|todo list|tool calls?|files?|errors?|bugs?|failures?|steps?)(?<!(?<!(?:ci|cron|build|batch|background) )jobs?)';
/** The work ends the phrase: "the tests", not "a query builder". */
const ENDS =
  '(?=\\s{0,3}(?:$|[.!?;,:)]|(?:and|for|on|in|to|with|again|now|right|at|before|after|of|from|locally|so|because)\\b))';
const ACTIVITY =
  '(?:runn|execut|build|rebuild|compil|deploy|test|retest|debugg|fix|lint|install|fetch|load|generat|check|verify|read|writ|edit|updat|creat|apply|search|scann|analy[sz]|review|inspect|process|retry|rerunn|re-runn|restart|start|finish|wait|implement|refactor|merg|push|work|look|open|try)ing(?: (?:on|at|for|into|through|with))?';
const DETERMINER = '(?:the|a|an|this|that|these|those|all|my|our|your|some|its)';
const SPEAKER =
  "(?:(?:i|we|you|he|she|they|it|(?:the )?(?:user|assistant|agent|bot|model))\\s?)?(?:['’](?:m|re|s)|am|are|is)?";
/** Start of the text or of a sentence in it. */
const START = '(?:^|[.!?;:\\n]\\s{0,3})';
const NOW = '(?:currently|now|right now|still|just|already|busy|in the middle of|at the moment)';

const TRANSIENT: readonly RegExp[] = [
  /\b(?:step|schritt|étape|paso) \d{1,4} ?(?:of|out of|von|sur|de|\/) ?\d{1,4}\b/iu,
  /\b(?:working on|on|at|doing|now|processing|finished|completed|starting|running|is) (?:the )?(?:phase|task|stage|part|file|item|batch|chunk|iteration|test|ticket) \d{1,6} ?(?:of|out of|\/) ?\d{1,6}\b(?! of\b)/iu,
  /\b(?:attempt|retry|try) \d{1,3} ?(?:of|out of|\/) ?\d{1,3}\b/iu,
  /\b\d{1,3}(?:\.\d+)? ?% (?:done|complete|completed|finished|through)\b|\bprogress(?: is)?:? ?\d{1,3} ?%/iu,
  new RegExp(
    `${START}${SPEAKER} ?${NOW} ${ACTIVITY} (?:${DETERMINER} )?(?:[\\p{L}\\d_-]{1,30} ){0,2}?${WORK}${ENDS}`,
    'iu',
  ),
  new RegExp(
    `${START}(?:i['’]m|i am|we['’]re|we are|the (?:assistant|agent|bot|model) is) ${ACTIVITY} (?:${DETERMINER} )(?:[\\p{L}\\d_-]{1,30} ){0,2}?${WORK}(?: (?:now|right now|again|at the moment))?\\s{0,3}(?:$|[.!?;,])`,
    'iu',
  ),
  new RegExp(
    `${START}(?:(?:the|my|our|all) )?(?:[\\p{L}\\d_-]{1,30} )?${WORK} (?:is|are) (?:(?:now|still|currently|already|all) )?(?:running|in progress|failing|passing|pending|queued|building|compiling|red|green|done|finished|blocked)\\s{0,3}(?:$|[.!?;,]|\\b(?:now|again|right now|at the moment)\\b)`,
    'iu',
  ),
  new RegExp(
    `${START}${SPEAKER} ?(?:have |has |['’]ve )?(?:just|now|already) (?:finished|completed|done|started|begun|ran|run|pushed|merged|deployed|fixed) (?:with )?(?:running )?(?:${DETERMINER} )?(?:[\\p{L}\\d_-]{1,30} ){0,2}?${WORK}${ENDS}`,
    'iu',
  ),
  new RegExp(
    `${START}(?:let me|i['’]ll|i will|i am about to|i['’]m about to|i['’]m going to|next,? i['’]ll|now i['’]ll|now i will) (?:now |first |just |quickly |try to )?(?:run|check|look|try|read|fix|open|search|start|execute|deploy|retry|rerun|install|build|test|debug|update|write|verify|inspect)\\b`,
    'iu',
  ),
  new RegExp(
    `${START}(?:still |currently |now )?waiting (?:for|on) (?:${DETERMINER} )?(?:[\\p{L}\\d_-]{1,30} ){0,2}?${WORK}${ENDS}`,
    'iu',
  ),
  new RegExp(
    `${START}(?:one moment|one sec(?:ond)?|just a (?:sec(?:ond)?|moment|minute)|hold on|please wait|give me a (?:sec(?:ond)?|moment|minute)|working on it|on it)\\s{0,3}(?:$|[.!,…])`,
    'iu',
  ),
  /^(?:todo|wip|in progress|status)\s{0,3}:/iu,
  /(?:^|[.!?;]\s{0,3})ich (?:führe|lasse|teste|baue|prüfe|installiere) (?:gerade|jetzt|noch) /iu,
];

/**
 * Whether the text says what is being done at this moment ("is running the tests", "working on step 3 of 5") instead of
 * something that will still be true tomorrow. English, and the commonest German forms.
 */
export function isTransientProgress(text: string): boolean {
  return TRANSIENT.some((pattern) => pattern.test(text));
}
