import { inThirdPerson } from '../third-person.js';
import { IMPORTANCE, durable } from './rule.js';
import type { Finding, Rule } from './rule.js';

const REPLIES = '(?:answers?|replies|reply|responses?|explanations?|messages|summaries)';
/** Of "the answer" only the next one is meant. */
const REPLIES_PLURAL = '(?:answers|replies|responses|explanations|messages|summaries)';
const MANNER =
  '(?:short|brief|concise|terse|succinct|long|detailed|in-depth|thorough|simple|formal|informal|casual|friendly|direct|polite|technical|non-technical|plain|bulleted|to the point|structured|step-by-step|(?:very |quite |rather |more |nice and |as )?(?:short|brief|concise|detailed|simple|formal|casual|direct)(?:er)?(?: and (?:short|concise|simple|friendly|to the point|direct|sweet))?|shorter|longer|simpler)';
const TWO_MANNERS = new RegExp(
  `\\b(${MANNER})(?:,? and|,) (?:more |very )?(?:${MANNER}) (?=${REPLIES_PLURAL}\\b)`,
  'i',
);
const KEEP = new RegExp(
  `^(?:please )?(?:always )?(?:keep|make|give me) (?:all )?(?:of )?(?:your |the |my |me )?${REPLIES} (?:as )?(${MANNER})(?: as possible| please)?$`,
  'i',
);
const GIVE = new RegExp(
  `^(?:please )?(?:always )?(?:give me|write|use|provide|stick to) (${MANNER}) (${REPLIES})(?: please)?$`,
  'i',
);
/** "Longer answers please". */
const WANTED = new RegExp(`^(${MANNER}) (${REPLIES_PLURAL})(?:,? please|,? from now on)+$`, 'i');
const BE = new RegExp(
  `^(?:please )?(?:always|from now on,?|in (?:the )?future,?|going forward,?)(?: please)? be (${MANNER})(?: with me| in (?:your |all )?${REPLIES}| please)?$`,
  'i',
);
const PREFER = new RegExp(
  `^I (?:would |do )?(?:really |generally |usually |always )?(?:prefer|like|want|love|appreciate|would like|rather have)(?: (?:to (?:get|have|receive)|it when (?:your )?${REPLIES} are|your|my))? ?(?:(?:my |your |all )?(${REPLIES}) (?:to be |that are |which are |being )?(${MANNER}|in [A-Z][a-z]+)|(${MANNER}) (${REPLIES}))(?:,? please)?$`,
  'i',
);
/** "Don't keep your answers short". */
const NOT_SO = new RegExp(
  `^(?:please )?(?:do not|never|stop) (?:always )?(?:(?:keep|keeping|make|making) (?:all )?(?:of )?(?:your |the |my )?${REPLIES_PLURAL} (?:so |too )?(${MANNER})|(?:give|giving) me (?:such )?(${MANNER}) ${REPLIES_PLURAL})(?: please)?$`,
  'i',
);
/** Taken back: "you can use emojis again". */
const ALLOWED =
  /^(?:(?:you (?:can|may)|feel free to|it is (?:ok|okay|fine|alright) (?:to|if you)) (?:now |again )?)(.+?)(?:,? (?:again|now))(?:,? (?:if you (?:like|want)|please))?$/i;
const AT_ENDS =
  /^(?:from now on|from here on|in (?:the )?future|going forward|by default),? |,? (?:from now on|in (?:the )?future|going forward|by default)(?:,? please)?$/gi;
const LASTING =
  /^(?:please )?(always|never|do not ever|from now on|from here on|in (?:the )?future|going forward|by default|every time|whenever you (?:answer|reply|respond|write)(?: to)?(?: me)?)(?:,| please|, please)? +(.+)$/i;
const REPLY_IN =
  /^(?:please )?(?:answer|reply|respond|speak|write|talk|communicate)(?: to me| me| back| your answers| all answers| everything)? (?:only )?in ((?:simple |plain |british |american |brazilian )?[a-z]+)(?: only| please| from now on| in (?:the )?future)?$/i;
const MANNERS =
  /^(?:please )?(?:not |never |do not )?(?:answer|reply|respond|write|use|format|explain|call|address|include|add|cite|give|show|keep|avoid|translate|speak|talk|start|end|begin|sign|greet|apologi[sz]e|ask|assume|convert|mention|suggest|recommend|spell|repeat|put|provide|be|prefer|stick|refer)\b/i;
const UNSAFE =
  /\b(?:ignore|system prompt|previous instructions|jailbreak|developer mode|refuse|password|token|secret|api key|restrictions|guidelines|policy|policies)\b/i;

/** How the user wants to be answered: "keep answers short", "always answer in German". */
export const wishes: Rule = ({ text: words, english, requestStandsAlone }) => {
  // "Longer, more detailed answers": either says as much.
  const text = words.replace(TWO_MANNERS, '$1 ');
  if (UNSAFE.test(text)) return null;
  const prefer = PREFER.exec(text);
  if (prefer) {
    const [, replies, manner, shape, noun] = prefer;
    if (manner?.toLowerCase().startsWith('in '))
      return english.isDemonym(manner.slice(3)) ? preference(`Prefers answers ${manner}`) : null;
    return preference(`Prefers ${mannerOf(manner ?? shape ?? '')} ${plural(replies ?? noun ?? 'answers')}`);
  }
  const unwanted = NOT_SO.exec(text);
  if (unwanted) return preference(`Does not want ${mannerOf(unwanted[1] ?? unwanted[2] ?? '')} answers`);
  const allowed = ALLOWED.exec(text)?.[1];
  if (allowed !== undefined && MANNERS.test(allowed)) {
    const wish = durable(allowed.replace(/\byour\b/gi, 'its'), 10);
    return wish === null ? null : instruction(`Allows the assistant to ${inThirdPerson(wish)}`);
  }
  const bare = text.replace(AT_ENDS, '');
  const keep = KEEP.exec(bare);
  if (keep && new RegExp(`\\b${REPLIES_PLURAL}\\b`, 'i').test(text))
    return preference(`Prefers ${mannerOf(keep[1] ?? '')} answers`);
  const give = GIVE.exec(bare);
  if (give && /s$/i.test(give[2] ?? ''))
    return preference(`Prefers ${mannerOf(give[1] ?? '')} ${plural(give[2] ?? '')}`);
  const wanted = WANTED.exec(text);
  if (wanted) return preference(`Prefers ${mannerOf(wanted[1] ?? '')} ${plural(wanted[2] ?? '')}`);
  const be = BE.exec(text);
  if (be) return preference(`Prefers ${mannerOf(be[1] ?? '')} answers`);

  const replyIn = REPLY_IN.exec(
    text.replace(LASTING, (_, adverb: string, wish: string) => (/never|ever/i.test(adverb) ? `never ${wish}` : wish)),
  );
  const lasting =
    LASTING.exec(text) ??
    (/\b(?:from now on|in (?:the )?future|going forward|every time|by default)(?:,? please)?$/i.test(text)
      ? [
          text,
          'always',
          text.replace(/,? (?:from now on|in (?:the )?future|going forward|every time|by default)(?:,? please)?$/i, ''),
        ]
      : null);
  if (replyIn && (lasting || requestStandsAlone)) {
    const language = (replyIn[1] ?? '').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
    return english.isDemonym(language.split(' ').at(-1) ?? '') ? instruction(`Wants answers in ${language}`) : null;
  }
  if (lasting) {
    const [, adverb = '', rawWish = ''] = lasting;
    const wish = durable(rawWish.replace(/^(?:please )/i, '').replace(/\byour\b/gi, 'its'), 18);
    if (wish === null || !MANNERS.test(wish) || /\bI\b/.test(wish)) return null;
    const never = /never|ever/i.test(adverb) || /^(?:do not|never) /i.test(wish);
    const action = inThirdPerson(wish.replace(/^(?:do not|never|not) /i, ''));
    return instruction(never ? `Wants the assistant never to ${action}` : `Wants the assistant to always ${action}`);
  }
  const units = requestStandsAlone
    ? /^(?:please )?use (metric|imperial)(?: units)?(?: please)?$/i.exec(text)?.[1]
    : undefined;
  if (units !== undefined) return instruction(`Wants the assistant to always use ${units.toLowerCase()} units`);
  const stop = requestStandsAlone
    ? /^(?:please )?(?:do not|stop|never) (answer in|answering in|reply in|replying in|use|using|add|adding|include|including|apologi[sz]ing|apologi[sz]e|call|calling) ?(emojis?|emoticons|exclamation marks|bullet points|markdown|tables|headings|jargon|me [\p{L}\d_ ]{2,20}|comments in code|code comments|disclaimers|[A-Z][a-z]+)?(?: please| in (?:your )?(?:answers|replies|responses))?$/iu.exec(
        text,
      )
    : null;
  if (stop) {
    const verb = english.infinitive((stop[1] ?? '').toLowerCase());
    return instruction(`Wants the assistant never to ${verb}${stop[2] ? ` ${inThirdPerson(stop[2])}` : ''}`);
  }
  return null;
};

/** "shorter" is a wish for short ones, from now on. */
function mannerOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/^(?:nice and|very|quite|rather|more|as) /, '')
    .replace(/\bshorter\b/, 'short')
    .replace(/\blonger\b/, 'long')
    .replace(/\bsimpler\b/, 'simple');
}

function plural(replies: string): string {
  const word = replies.toLowerCase();
  return word === 'output' || word.endsWith('s') ? word : word === 'reply' ? 'replies' : `${word}s`;
}

function preference(content: string): Finding {
  return { content, kind: 'preference', importance: IMPORTANCE.preference };
}

function instruction(content: string): Finding {
  return { content, kind: 'instruction', importance: IMPORTANCE.instruction };
}
