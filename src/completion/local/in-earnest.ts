/** A guess, a wish or a condition. */
export const HEDGED =
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
export const FOR_NOW =
  /\b(?:for (?:this|the next|now only)|this (?:time|one|once|file|function|question|answer|conversation|chat|session|task)|just (?:this|for)|(?:in|for) (?:this|that) (?:case|one|file|example|task|project|email|chat|message))\b/i;

/** Whether a sentence is the user's own and meant: no hearsay, no irony, no slip of the tongue. */
export function isInEarnest(sentence: string): boolean {
  return !NOT_SAID_IN_EARNEST.some((cue) => cue.test(sentence));
}
