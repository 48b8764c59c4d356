import { withPlainValues } from './new-values.js';
import { SECOND_VERB, standsAlone } from './second-verb.js';
import { QUOTE_MARK } from './spoken-text.js';

/** "I'm", "i dont", "we've" -> the long forms, in which each rule is written once. "We" counts as the user. */
function expanded(sentence: string): string {
  return sentence
    .replace(/\bi\b/g, 'I')
    .replace(/\b[Ww]e\b/g, 'I')
    .replace(/\bus\b/g, 'me')
    .replace(/\b(?:our|my)\b/gi, 'my')
    .replace(/\bim\b/gi, 'I am')
    .replace(/\bive\b/gi, 'I have')
    .replace(/\bI'm\b|\bI're\b|\bI are\b/gi, 'I am')
    .replace(/\bI've\b/gi, 'I have')
    .replace(/\bI'd\b/gi, 'I would')
    .replace(/\bI'll\b/gi, 'I will')
    .replace(/\bcan'?t\b|\bcan not\b/gi, 'cannot')
    .replace(/\bwon't\b/gi, 'will not')
    .replace(/\bain't\b/gi, 'am not')
    .replace(/\b(do|does|did|is|are|was|were|has|have|had|would|could|should)n'?t\b/gi, '$1 not')
    .replace(
      /\b(my (?:[\p{L}\d_-]+ ){0,2}[\p{L}\d_-]+)'s (?=name is\b|called\b|named\b)/giu,
      (_, owner: string) => `${owner}'s `,
    )
    .replace(/\bname's\b/gi, 'name is')
    .replace(/\bit's\b/gi, 'it is');
}

/** Words that open a sentence without adding to it, and phrases that ask to remember what follows. */
const OPENING = new RegExp(
  '^(?:(?:' +
    [
      'hi|hello|hey|hiya|good (?:morning|afternoon|evening)|greetings',
      'hi there|hey there|hello there|hi all|hi everyone',
      'well|so|oh|ok|okay|yes|yeah|yep|no|nope|sure|right|actually|anyway|also|and|but|plus|btw|by the way|fyi|for your information|honestly|basically|look|thanks|thank you|sorry|hmm|um|great|cool|nice|perfect|awesome|unfortunately|luckily|sadly|fortunately|finally|first|firstly|second|secondly|besides|additionally|in addition|in fact|as it happens|incidentally|update|news',
      'for context|for the record|for reference|just so you know|so you know|just to let you know|to be clear|in general|generally|generally speaking|at home|at work|personally|as always',
      'you (?:already )?know(?: that)?(?=,? (?:I|my)\\b)',
      '(?:as )?I (?:have )?(?:already )?(?:told you|said|mentioned)(?: before| already| earlier| last time)?(?: that)?',
      '(?:please )?(?:remember|note|keep in mind|bear in mind|be aware|do not forget|take note)(?: that)?(?=,? (?:I|my)\\b)',
      'I (?:should|must|have to|want to|would like to|will|can)(?: also)? (?:mention|add|say|tell you|point out|let you know|confess|admit)(?: that)?',
      'you should know(?: that)?|you might want to know(?: that)?|it may help to know(?: that)?',
      'the thing is(?: that)?|the truth is(?: that)?|turns out(?: that)?|it turns out(?: that)?|fun fact',
      'since (?:yesterday|last (?:week|month|year)|(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \\d{4})?|\\d{4})|as of (?:today|now|this week|this month)|from today|these days|nowadays|now|currently|right now|at the moment|recently|lately',
    ].join('|') +
    ')(?:[,:!.\\u2014-]+\\s*|\\s+))',
  'i',
);

const BOUNDARY = new RegExp(
  '\\s*(?:;|\\s[\\u2014\\u2013-]\\s|\\u2014)\\s*(?:and |but |so |plus )?' +
    `|,?\\s+(?:and|but|so|plus|yet|while|whereas|though|although|and also|but also)\\s+(?=(?:also |then |now |currently |please |just |really |that )*(?:(?:I|my|please|always|never|do not|call me|keep)\\b|${SECOND_VERB}))` +
    `|,\\s*(?=(?:also |then |now |currently |please )*(?:(?:I|my|please|call me|keep (?:it|answers|replies|your))\\b|${SECOND_VERB}))`,
  'g',
);

const HEDGED =
  /\b(?:if|unless|whether|would(?! (?:like|love|prefer|rather|appreciate)\b)|could|might|maybe|perhaps|probably|possibly|I (?:think|guess|suppose|assume|believe|doubt|wonder|wish|bet|heard|dreamt|dreamed)|not sure|supposedly|apparently|allegedly|as though|in case|almost|nearly|used to|someone|somebody|people (?:who|that|like)|anyone|pretending|seems?|feels? like|looks? like|sounds? like)\b/i;
/** Somebody else's words or thoughts, even without quotation marks. */
const REPORTED =
  /\b(?:(?:he|she|it|who|[\p{Lu}]\p{Ll}+|friend|boss|client|customer|user|wife|husband|partner|doctor|colleague|coworker|mother|father|mom|mum|dad|brother|sister|teacher|manager|everyone|article|book|song|email|character)\s+(?:just |always |once |also |still |keeps |recently )?(?:says|said|saying|tells|told|writes|wrote|asks|asked|claims|claimed|thinks|thought|texted|replied|goes|reads|insists|insisted|believes|mentioned|shouted|calls)|said (?:the|he|she|\p{Lu})|(?:they|people|who|some|many|docs|instructions)\s+(?:always |also |still )?(?:say|said|tell|told|write|wrote|ask|asked|claim|think|thought|believe|insist|call))\b/u;
/** Whose words they are, told after them or before: "..., said my sister", "according to my mother". */
const ATTRIBUTED =
  /\b(?:according to|as (?:my|his|her|their|our|the) [\p{L}\d_ -]{2,20} (?:used to say|always said|would say|likes to say)|to quote|in the words of|if you (?:ask|believe)|(?:said|says|wrote|quoth|claims?|insists?|thinks?) (?:my|no one|nobody|everyone|everybody|his|her|their|every|some))\b/iu;
/** "I'm 34, I mean 35": the first was a slip, and the second half alone is no statement. */
const CORRECTED = /[,.;\u2014\u2013-]\s*(?:I mean(?:t)?\b(?! it\b)|or rather\b|no,? wait\b|wait,? no\b|make that\b)/i;
/** Joy in what nobody enjoys, and joy announced by a sigh. */
const MOCK_JOY =
  /^(?:sure|wow|yay|ugh),? (?:I )(?:do |just |really |totally |so |absolutely )*(?:like|love|adore|enjoy)\b|\b(?:totally|so) (?:love|adore|enjoy) (?:being|getting|having to)\b/i;
const IRONIC =
  /\b(?:oh,? (?:great|wow|sure|joy|perfect|wonderful|brilliant|yeah)|yeah,? (?:right|sure)|just (?:love|adore)|absolutely love (?:it )?when|because who does not|of course I|\.\.\. ?not$|what a joy|so much fun|love nothing more than|as if|thanks for nothing|living the dream|my favou?rite (?:pastime|hobby) is (?:waiting|debugging|being))\b|\/s\b|[\u{1F644}\u{1F643}]/iu;
/** "When I'm rich, ..." and "before I moved, ...": true at another time than now. */
const UNREAL_TIME = /^(?:when|whenever|once|until|till|before|after|as soon as|by the time|the day) (?:I|my)\b/i;
const NOT_SAID_IN_EARNEST = [REPORTED, ATTRIBUTED, CORRECTED, IRONIC, MOCK_JOY, UNREAL_TIME];
/** Said for this one occasion. */
const FOR_NOW =
  /\b(?:for (?:this|the next|now only)|this (?:time|one|once|file|function|question|answer|conversation|chat|session|task)|just (?:this|for)|(?:in|for) (?:this|that) (?:case|one|file|example|task|project|email|chat|message))\b/i;

const QUESTION_START =
  /^(?:what|which|who|whom|whose|where|when|why|how|do|does|did|is|are|was|were|am|can|could|would|will|should|shall|may|has|have|any|guess|isn't|aren't|don't|can't)\b/i;
const INVERTED =
  /^(?:do|did|am|was|have|had|can|could|would|will|should|shall|may|must|is|are|does|has)\s+(?:I|my|you|not I|there|it|this|that|the|he|she|they)\b/i;
const TAG_QUESTION =
  /^(?:right|ok|okay|correct|no|yes|yeah|huh|eh|true|is not it|is it not|do not I|am I not|do I not|remember|do I|am I|are not I|got it|you know|is that (?:ok|right|fine|clear|correct)|does that matter|do you (?:remember|know))\b/i;

/** "I do not think I like it any more": a denial in soft words. */
const POLITE_DENIAL =
  /^I do not (?:think|believe) I (?:really |still )?(like|love|enjoy|eat|drink|use|smoke|play|need)\b(?=.*\b(?:any ?more|any longer)\b)/i;

const FEELING =
  '(?:(?:really |actually |absolutely |just |totally |even )*(?:love|like|enjoy|adore|hate|dislike|detest|loathe|cannot (?:stand|bear|tolerate)|do not (?:really )?(?:like|love|enjoy|mind)|am (?:really )?into|eat|drink|use))';
/** What a feeling is about, told in the half before: "I used to hate olives but now I love them". */
const TOLD_BEFORE = new RegExp(
  `^(?:(?:I (?:used to |have always |always )?(?:love|like|enjoy|adore|hate|dislike|eat|drink|use)d?|I (?:have )?changed my mind (?:about|on)|(?:scratch|forget|ignore|never mind) what I said about|I was wrong about) )(?:the )?([\\p{L}][\\p{L}\\d .'-]{1,40}?)(?:,? but|[,;:]| -| \\u2014|,? and) (?:but |and |now |these days |today |actually |then )*I (?:now |actually |have come to |have grown to |have learned to )?(${FEELING}) (?:it|them)\\b(?: now| these days| again)?`,
  'iu',
);
/** "My favourite colour isn't green, it's blue", "My dog is not called Rex, he's called Max". */
const PUT_RIGHT =
  /^(my [^,;]{2,40}?) is (?:not|no longer) (called |named )?([^,;]{1,40}?)(?:[,;]| -| \u2014|,? but) ?(?:it|he|she)(?: is|'s) (?:called |named )?(.+)$/iu;

/** "My favourite band used to be Muse but now it's Radiohead". */
const WAS_BEFORE =
  /^(my [^,;]{2,40}?) (?:used to be|was) [^,;]{1,40}?(?:[,;]| -| \u2014)? ?(?:but |and )?(?:now it is|it is now|but it is)( .+)$/iu;
/** "I left Shell and joined BP": of the one alone nobody could tell that it is work, too. */
const WENT_OVER =
  /^(I (?:have )?(?:just |recently |finally )*(?:left|quit|resigned from) (?!my |the )[^,;]{2,30}?)(?:,? and|,|,? to)(?: have)?(?: (?:then|now|just|recently))* (?:join|joined|I joined|went to work (?:at|for)|started (?:working )?(?:at|for|with)) (?=[\p{Lu}])/iu;
const CAME_OVER =
  /^I (?:have )?(?:just |recently |finally )*joined ([\p{Lu}][^,;]{1,30}?)(?:,? and| after I) ((?:left|quit|resigned from) [\p{Lu}].*)$/u;

/** "My boyfriend and I broke up": said of both, and told of the user. */
const TOGETHER =
  /^(my (?:girlfriend|boyfriend|partner|fianc[eé]e?|husband|wife)) and I (broke up|split up|separated)\b/i;

/** The sentence with what its second half corrects or points back to put in place. */
function resolved(sentence: string): string {
  return sentence
    .replace(TOLD_BEFORE, 'I $2 $1')
    .replace(WAS_BEFORE, '$1 is$2')
    .replace(WENT_OVER, '$1 and I started at ')
    .replace(CAME_OVER, 'I $2 and I started at $1')
    .replace(TOGETHER, 'I $2 with $1')
    .replace(PUT_RIGHT, (_, thing: string, called: string | undefined, wrong: string, right: string) =>
      called === undefined
        ? `${thing} is ${right}`
        : `${thing} is ${called}${right.replace(/[.!]+$/, '')}, not ${wrong}`,
    );
}

/** One statement that the user makes, contractions spelled out, opening words cut, no full stop. */
export interface Clause {
  readonly text: string;
  /** "also", "too", "as well", "another": it stands beside what was said before. */
  readonly additional: boolean;
  /** "now", "these days", "instead": something else was so before. The words themselves are cut. */
  readonly renewed: 'now' | 'instead' | null;
}

const LATELY = /\b(?:now|nowadays|these days)\b|^since (?:\p{Lu}|last|yesterday|\d)/iu;
/** "Instead" alone: where it says of what, the sentence says enough. */
const INSTEAD = /\binstead\b(?! of\b)/i;

function renewedIn(words: string): Clause['renewed'] {
  return INSTEAD.test(words) ? 'instead' : LATELY.test(words) ? 'now' : null;
}

/** The clauses of a sentence in which the user may be stating something; none for questions, guesses, hearsay and irony. */
export function clausesOf(sentence: string): Clause[] {
  const isQuestion = /\?[\s!?)"']*$/.test(sentence) || /\?\s/.test(sentence);
  const whole = withoutStop(
    withPlainValues(resolved(expanded(sentence.trim())))
      .replace(/\s*\([^()]*\)(?=[\s.!?]*$)/u, '')
      .replace(/^(from now on|in (?:the )?future|going forward|by default|every time),/i, '$1'),
  );
  if (NOT_SAID_IN_EARNEST.some((cue) => cue.test(whole))) return [];
  const request =
    /^(?:(?:can|could|would|will) you (?:please )?|I (?:want|need|would like|would prefer) you to )(.+)$/i.exec(
      whole,
    )?.[1];
  if (request !== undefined) return [{ text: withoutOpening(request), additional: false, renewed: null }];
  const said = withoutOpening(whole);
  const renewedAtFirst = renewedIn(whole.slice(0, whole.length - said.length));
  const text = said.replace(/^(?:just )?(?=(?:moved|switched|migrated|upgraded|downgraded) (?:to|from)\b)/i, 'I ');

  const parts = partsOf(text);
  const spoken = isQuestion ? beforeQuestion(parts, text) : parts;
  const clauses: Clause[] = [];
  let subject = '';
  for (const [place, part] of spoken.entries()) {
    const opened = withoutOpening(part).replace(POLITE_DENIAL, 'I do not $1');
    if (
      QUESTION_START.test(opened) &&
      (INVERTED.test(opened) || isQuestion || /^(?:what|which|who|where|when|why|how|guess)\b/i.test(opened))
    ) {
      continue;
    }
    if (HEDGED.test(opened)) {
      // A guess carries over to what hangs on it: "if I moved to Rome and worked there".
      if (/\b(?:if|suppose|imagine|would(?! (?:like|love|prefer|rather|appreciate)\b)|wish|unless)\b/i.test(opened))
        return [];
      continue;
    }
    if (opened.includes(QUOTE_MARK) || FOR_NOW.test(opened)) continue;
    const additional = /\b(?:also|too|as well|another|second|in addition)\b/i.test(opened);
    const complete = carryingSubject(opened, subject);
    if (/^I\b/.test(complete)) subject = 'I';
    const renewed = renewedIn(part) ?? (place === 0 ? renewedAtFirst : null);
    clauses.push({ text: withoutTail(smallFirst(complete)), additional, renewed });
  }
  return clauses;
}

/** The statements of a sentence, parted where another one begins. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: joint, index } of text.matchAll(BOUNDARY)) {
    if (!standsAlone(text.slice(from, index), joint, text.slice(index + joint.length))) continue;
    parts.push(text.slice(from, index));
    from = index + joint.length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}

/** "I live in Rome, what should I wear?" keeps its first half; "I live in Rome, right?" keeps nothing. */
function beforeQuestion(parts: readonly string[], text: string): string[] {
  const comma = text.lastIndexOf(', ');
  if (parts.length === 1 && comma > 0) {
    const tail = withoutOpening(text.slice(comma + 2).replace(/^(?:so|and|but)\s+/i, ''));
    const head = text.slice(0, comma);
    if (QUESTION_START.test(tail) && !TAG_QUESTION.test(tail) && !QUESTION_START.test(head)) {
      return partsOf(head);
    }
    return [];
  }
  const last = parts.at(-1) ?? '';
  const tail = withoutOpening(last);
  const tailAfterComma = last.slice(last.lastIndexOf(', ') + 2);
  if (
    TAG_QUESTION.test(tail) ||
    TAG_QUESTION.test(tailAfterComma) ||
    !QUESTION_START.test(tail) ||
    QUESTION_START.test(parts[0] ?? '')
  )
    return [];
  return parts.slice(0, -1);
}

function withoutOpening(text: string): string {
  let rest = text;
  for (let next = rest.replace(OPENING, ''); next !== rest; next = rest.replace(OPENING, '')) rest = next;
  return rest;
}

/** Without what is added in passing: "too", "by the way", ", not Linz". The "now" of "I am at Bosch now" says that it is work. */
function withoutTail(text: string): string {
  return text
    .replace(/(?<!\b(?:called|named|name is) [^,]{1,40}), (?:and )?not (?:[\p{L}\d.'-]+ ?){1,3}$/u, '')
    .replace(/(?<!^I am at .{1,60}) now$/, '')
    .replace(
      /,?\s+(?:too|as well|though|anyway|btw|by the way|thanks|thank you|lol|haha|actually|obviously|of course|you know|by now|these days|nowadays|after all)$/i,
      '',
    );
}

/** Without the full stop, unless it belongs to an abbreviation: "the U.S." */
function withoutStop(text: string): string {
  const bare = text.replace(/[\s!?\u2026:)]+$/u, '');
  return /(?:\b\p{L}\.){2,}$/u.test(bare) ? bare : bare.replace(/[\s.!?\u2026:)]+$/u, '');
}

/** "Please", "My", "Always" as they stand inside a sentence, so that the rules need not look for both. */
function smallFirst(text: string): string {
  return /^I\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function carryingSubject(part: string, subject: string): string {
  if (subject === '' || /^(?:I|my)\b/.test(part)) return part;
  return new RegExp(`^(?:also |then |now |currently |really )*${SECOND_VERB}`).test(part) &&
    !/^(?:please|keep|always|never)\b/i.test(part)
    ? `I ${part}`
    : part;
}
