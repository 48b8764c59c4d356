import { FOR_NOW, HEDGED, isInEarnest } from './in-earnest.js';
import { expanded } from './long-forms.js';
import { withPlainValues } from './new-values.js';
import { withoutOpening } from './openings.js';
import { partsOf } from './parts.js';
import { asks, beforeQuestion } from './questions.js';
import { SECOND_VERB } from './second-verb.js';
import { resolved } from './second-halves.js';
import { QUOTE_MARK } from './spoken-text.js';

/** "I do not think I like it any more": a denial in soft words. */
const POLITE_DENIAL =
  /^I do not (?:think|believe) I (?:really |still )?(like|love|enjoy|eat|drink|use|smoke|play|need)\b(?=.*\b(?:any ?more|any longer)\b)/i;

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
  if (!isInEarnest(whole)) return [];
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
    if (asks(opened, isQuestion)) continue;
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
