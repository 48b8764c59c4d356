import type { English } from '../english.js';
import { inThirdPerson } from '../third-person.js';
import { IMPORTANCE, durable } from './rule.js';
import type { Rule } from './rule.js';

const INTENTION =
  /^I (?:(?:really|also|still|eventually|one day) )?(?:want to|plan to|am planning to|hope to|am hoping to|aim to|am aiming to|intend to|am trying to|am going to|dream of|am dreaming of|am determined to|would love to|would like to|am working towards|am looking to) (.+)$/i;
/** Only what says that it was wanted before: "I do not want to ..." alone is mostly about the next minute. */
const GIVEN_UP =
  /^I (?:no longer (?:want|plan|hope|aim|intend) to (.+?)|do not (?:want|plan|intend) to (.+?) (?:any ?more|any longer)|(?:have )?(?:given|gave) up on (?:my (?:dream|plan|goal) (?:of|to) )?(.+?))$/i;
const PREPARING =
  /^I am (?:training for|saving (?:up )?for|studying for|preparing for|saving up to|planning(?! to\b)) (.+)$/i;
/** Under way for months, and named or of a kind that takes them. */
const MAKING =
  /^I am ((?:building|writing|making|developing|creating|starting|working on) (?:an?|my) (?:[\p{L}\d_-]+ ){0,3}(?:novel|memoir|thesis|dissertation|phd|cookbook|screenplay|(?:app|website|site|startup|company|game|library|bot|product|podcast|blog|book|album|tool|platform|saas|project|course) (?:called|named) \p{Lu}\S*)\b.*)$/iu;
/** What people take months for. A wish with any other verb is mostly for the next minute. */
const LONG = new RegExp(
  '^(?:(?:eventually|one day|finally|also) )?(?:(?:learn(?:ing)?(?: to| how to)?|run(?:ning)?|travel(?:ling)? to|visit(?:ing)?|move|relocate|emigrate|buy(?:ing)?|become|becoming|start(?:ing)?|open(?:ing)?|found|quit|lose|gain|get|launch|retire|save|climb|hike|improve|master|study|graduate|marry|adopt|publish|swim|cycle|bike|compete|qualify|speak|play|switch careers|change careers|finish|complete|write|read|build|grow|pay off|stop|cut down on|cut back on|eat|drink|sleep|exercise|lift|bench|fly to|go to|sail|reach|hit|earn|pass|renovate) .+|retire(?: .+)?|graduate(?: .+)?|emigrate(?: .+)?|learn .+)$',
  'i',
);
const TASK =
  /\b(?:this|that|these|those|it|function|script|tests?|query|queries|file|files|code|bug|bugs|error|errors|server|docker|container|component|button|loop|list|array|string|table|page|email|e-mail|poem|essay|letter|message|text|paragraph|regex|command|endpoint|api|json|csv|pdf|sql|migration|branch|commit|pipeline|build|deploy|output|result|results|answer|information|help|started|rid|working|going|unit|member|div|css|ticket|website|site|script|benchmark|project up|data|column|row|value|values|model|prompt|homework|assignment|rid of|better understanding|an idea|story|article|blog post|tweet|caption|cover letter|summary|program|class|method|module|package|dependency|response|explanation|quote|refund|support|someone|you|now|today|tonight|quickly|soon|something|somewhere|over|back|feedback|a coffee|lunch|dinner|breakfast|home|bed|shower)\b/i;
const LONG_WRITING =
  /^(?:write|writing|read|publish|build|finish|complete) (?:an?|my|the|\d+|two|ten|twelve) (?:[\p{L}\d_]+ )?(?:novel|book|books|thesis|dissertation|phd|degree|memoir|house|cabin|boat|company|startup|business|house|marathon|master's|masters|album|screenplay)\b/iu;

/** What the user works towards. */
export const goals: Rule = ({ text, calendar, english }) => {
  const unlearned =
    /^I (?:have )?(?:stopped|quit|given up|gave up) learning (.+)$/i.exec(text)?.[1] ?? tongueIn(text, english);
  const subject = durable(unlearned ?? '', 4);
  if (subject !== null)
    return { content: `Is no longer learning ${inThirdPerson(subject)}`, kind: 'fact', importance: IMPORTANCE.fact };
  const preparing = PREPARING.exec(text);
  if (preparing) {
    // Which marathon, a year later nobody asks.
    const what = durable((preparing[1] ?? '').replace(/^the (?=(?:[a-z-]+ )?(?:marathon|triathlon)\b)/, 'a '), 12);
    const verb = /^I am ((?:training|saving|studying|preparing|planning)(?: up)?)(?: (for|to))?/i.exec(text);
    if (what === null || !verb || (TASK.test(what) && !/\b(?:exam|certification|marathon|interview)\b/i.test(what)))
      return null;
    if (
      /planning/i.test(verb[1] ?? '') &&
      !/\b(?:trip|wedding|holiday|vacation|honeymoon|move|party|sabbatical|journey)\b/i.test(what)
    )
      return null;
    return {
      content: calendar.absolute(
        `Is ${verb[1]?.toLowerCase()}${verb[2] ? ` ${verb[2].toLowerCase()}` : ''} ${inThirdPerson(what)}`,
      ),
      kind: 'goal',
      importance: IMPORTANCE.goal,
    };
  }
  const making = MAKING.exec(text);
  if (making) {
    const what = durable(making[1] ?? '', 10);
    return what === null ? null : { content: `Is ${inThirdPerson(what)}`, kind: 'goal', importance: IMPORTANCE.goal };
  }
  const givenUp = GIVEN_UP.exec(text);
  if (givenUp) {
    const dropped = givenUp[3]?.replace(
      /^(?:learning|running|becoming|moving|buying|starting|writing|visiting)\b/i,
      (verb) => english.infinitive(verb.toLowerCase()),
    );
    const what = durable(givenUp[1] ?? givenUp[2] ?? dropped ?? '', 16);
    return what === null || !isAim(what)
      ? null
      : { content: `Does not want to ${inThirdPerson(what)}`, kind: 'goal', importance: IMPORTANCE.goal };
  }
  const intention = INTENTION.exec(text);
  if (!intention) return null;
  const what = durable(calendar.absolute(intention[1] ?? ''), 16);
  if (what === null || !isAim(what)) return null;
  const aim = inThirdPerson(what);
  return {
    content: /^(?:[\p{L}\d_]+ing)\b/iu.test(aim) ? `Dreams of ${aim}` : `Wants to ${aim}`,
    kind: 'goal',
    importance: IMPORTANCE.goal,
  };
};

/** "I gave up on Spanish". */
function tongueIn(text: string, english: English): string | undefined {
  const tongue =
    /^I (?:have )?(?:just |recently |finally )*(?:dropped|given up|gave up)(?: on)? (?:my )?([A-Z][a-z]+)$/.exec(
      text,
    )?.[1];
  return tongue !== undefined && english.isDemonym(tongue) && !/ans$/.test(tongue) ? tongue : undefined;
}

/** Worth months, and not of today's work. */
function isAim(what: string): boolean {
  if (
    /^(?:learn|find out|read|know) (?:more|about)\b|^start (?:with|over|by|from|off)\b|^move (?:the|this|my|a|on|up|down)\b|^buy (?:some|more|time|it|me)\b/i.test(
      what,
    )
  )
    return false;
  return (
    LONG_WRITING.test(what) ||
    (LONG.test(what) &&
      !isTask(what) &&
      !/^(?:write|build|complete|finish|play|get|read|open|start|hit|reach|eat|drink|go to|pass|save|stop|grow|improve|run|sleep) (?:the|a|an|my|me|some|out|in|up|through|on)\b/i.test(
        what,
      )) ||
    (SURE.test(what) && !isTask(what))
  );
}

/** Verbs that pass with an article when what follows is a matter of months. */
const SURE =
  /^(?:run|start|open|get|improve|pass|save|grow|complete|finish|read|reach|go to|play|build) (?:the |a |an |my |for a |for my |up for a |to the |to a )?(?:[\p{L}\d_]+ ){0,2}(?:marathon|half-?marathon|10k|5k|triathlon|iron ?man|business|company|startup|family|bakery|restaurant|shop|cafe|café|podcast|band|degree|phd|master's|masters|promotion|certification|certificate|driving licen[sc]e|pilot's licen[sc]e|dog|cat|puppy|tattoo|french|spanish|german|english|italian|japanese|exam|bar exam|house|flat|college|university|piano|guitar|garden|vegetables|chess|fitness|health|sleep|books)\b/iu;

/** What follows the verb is of today's work. */
function isTask(what: string): boolean {
  return TASK.test(what.replace(/^[\p{L}\d_]+ /u, ''));
}
