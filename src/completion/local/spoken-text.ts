/**
 * What in a message is not the user speaking about themselves: material to work on, quotations, play. All of it reads
 * like first person, so it must be gone before any rule looks.
 */

const FENCED = /(```|~~~)[\s\S]*?(?:\1|$)/g;
/** Tags and what stands between them: pasted markup, other systems' context, and our own block should it have survived. */
const TAGGED = /<([a-z][\w-]*)(?:\s[^<>]*)?>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const QUOTED_LINE = /^\s*(?:>|&gt;|\|)/;
/** "Alice: I love it", "[10:14] bob: hi", "User: ...": a transcript. A few labels introduce the user's own words. */
const SPEAKER_LINE = /^(?!\s*I\s)\s*(?:\[[^\]]{1,30}\]\s*|\d{1,2}:\d{2}\s*)?[\p{L}][\p{L}\d_.' -]{0,30}:\s/u;
const OWN_LABEL =
  /^\s*(?:note|fyi|ps|p\.s\.|update|btw|by the way|reminder|about me|context|for context|background|some background|also|me|correction|edit|for the record|fact|fun fact|remember|please remember|remember this|please note|heads up|(?:please )?(?:don't|do not) forget|keep in mind|save this)\s*:\s*/i;
const INDENTED_CODE = /^(?: {4,}|\t)\S/;
/** Code that was pasted without a fence. */
const CODE_LINE =
  /[;{}]\s*$|=>|^\s*(?:const|let|var|import|export|return|def|class|function|SELECT|INSERT|#include)\b|^\s*[$#]\s/;

const WORK_VERB =
  'translate|summari[sz]e|rewrite|rephrase|paraphrase|proof-?read|correct|edit|improve|polish|shorten|review|classify|label|reply to|respond to|answer this|analy[sz]e|transcribe|continue|complete|parse|extract|spell-?check|fix the (?:grammar|spelling|text)|check (?:the|this|my) (?:grammar|spelling|text|sentence|email|essay)|convert|format|turn this|make this|explain this|what does this|grade|evaluate|write|draft|compose|generate|say|type|print|repeat|read|sentence';
/** "Translate this to French: I live in Rome": what follows the colon is material. */
const MATERIAL_AFTER_COLON = new RegExp(
  `^.*\\b(?:${WORK_VERB}|here(?: is|'s| are)|this is|the following|below|quote|lyrics|text|email|message|letter|bio|review|story|poem|essay|post|tweet|comment|transcript|example|log|says?|said|wrote|writes?|writing|told me|asked|texted|replied|goes|reads|answered|shouted|claims?|posted)\\b[^:\\n]*:(?!\\/\\/)`,
  'i',
);
/** From here on the "I" is somebody invented. */
const PRETENCE =
  /\b(?:suppose|supposing|imagine|pretend(?:ing)?|assum(?:e|ing)|hypothetically|let'?s say|let us say|let me be|in (?:my|the|this|that|a) (?:dream|story|novel|book|movie|game|film|play|song|poem)|you(?: are|'re) (?:now )?(?:an? |the )|say that i|role-?play(?:ing)?|act(?:ing)? as|you are now|in this scenario|in a scenario|for the sake of (?:argument|example)|for (?:example|instance)|e\.g\.|thought experiment|what if|as if i|in character|my character|the protagonist|the narrator|as an? (?:user|customer|developer|admin|administrator|visitor|manager|product owner|guest), i)\b/i;
/** A letter's head or its greeting and close: pasted, whoever wrote it. */
const LETTER = /^(?:subject|from|to|cc|re)\s*:|^dear\b[\s\S]*\b(?:sincerely|regards|yours)\b/im;
const WITHDRAWN =
  /\s\/s(?:\s|$)|\u{1F644}|\u{1F643}|\b(?:just kidding|only kidding|i'?m kidding|i am kidding|jk|i'?m joking|i am joking|just joking|not really though|april fools|said no ?(?:one|body) ever|never ?mind(?: that)?|(?:scratch|strike|disregard|ignore) that|in (?:my|your) dreams)\b|\((?:not(?: really| yet| any ?more)?|as if|i wish|sarcasm|irony|kidding)[.!]*\)|(?:[.!\u2026]\s*|\s[\u2014\u2013-]\s*)(?:not|not really|i wish|as if|yeah,? right|psych|sike|kidding)[.!]*\s*$/iu;
/** "Proofread my bio. I am a chef ...": from the order on, the text is what to work on. */
const WORK_ORDER = new RegExp(
  `(^\\s*|[.!?]\\s+)(?:please |pls |kindly |now |then |(?:can|could|would) you (?:please )?)*(?:${WORK_VERB})\\b`,
  'i',
);
const LASTING_WISH = /\b(?:from now on|in (?:the )?future|going forward|by default|always|never)\b/i;
/** Two or more words between quotation marks; one name between them ("my dog is called \"Rex\"") keeps its words. */
const QUOTATION = /"[^"\n]*"|(?<![\p{L}\d])'[^'\n]*\s[^'\n]*'(?![\p{L}\d])|«[^»\n]*»|„[^“”\n]*[“”]/gu;

/** Longer messages, lines and sentences are pasted text; the rules, whose cost grows faster than the text, do not see them. */
const MESSAGE_MAX = 20_000;
const LINE_MAX = 1_000;
export const SENTENCE_MAX = 300;
/** Sentences read of one message, from its beginning: 0.2 s at worst. */
export const SENTENCES_MAX = 100;

/** Stands where a quotation stood; no rule matches a clause that holds it. */
export const QUOTE_MARK = '\u25A1';

/** The lines that the user says in their own voice, with straight quotation marks and apostrophes. */
export function spokenLines(message: string): string[] {
  if (message.length > MESSAGE_MAX) return [];
  const text = message
    .normalize('NFC')
    .replace(/[^\S\n]{2,}/g, (blanks) => (blanks.includes('\t') || blanks.length >= 4 ? '    ' : ' '))
    .replace(/[\u2018\u2019\u201B\u02BC\u00B4]/g, "'")
    .replace(/[\u201C\u201D\u201F]/g, '"')
    .replace(/\r\n?/g, '\n')
    .replace(FENCED, '\n')
    .replace(TAGGED, ' ')
    .replace(/`([\w@/.+#-]{1,40})`/g, '$1')
    .replace(/`[^`\n]*`/g, QUOTE_MARK);
  if (WITHDRAWN.test(text) || LETTER.test(text)) return [];

  const lines: string[] = [];
  for (const raw of text.split('\n')) {
    if (raw.length > LINE_MAX) break;
    if (QUOTED_LINE.test(raw) || INDENTED_CODE.test(raw) || CODE_LINE.test(raw)) continue;
    const own = OWN_LABEL.test(raw);
    const line = raw.replace(OWN_LABEL, '').replace(/^\s*(?:[-*\u2022]|\d+[.)])\s+/, '');
    const end = ownVoiceEnds(line);
    if (end < line.length) {
      // Only whole sentences before the cue are the user's; the rest of the line and the lines after it are not.
      lines.push(withoutQuotations(/^.*[.!?](?=\s)/s.exec(line.slice(0, end))?.[0] ?? ''));
      break;
    }
    if (own || !SPEAKER_LINE.test(raw)) lines.push(withoutQuotations(line));
  }
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** Where in a line material to work on or a pretence begins; its length when it is the user's throughout. */
function ownVoiceEnds(line: string): number {
  const material = MATERIAL_AFTER_COLON.exec(line)?.[0].length;
  const work = LASTING_WISH.test(line) ? undefined : WORK_ORDER.exec(line);
  return Math.min(
    line.length,
    PRETENCE.exec(line)?.index ?? line.length,
    material === undefined ? line.length : material - 1,
    work ? work.index + (work[1] ?? '').length : line.length,
  );
}

function withoutQuotations(line: string): string {
  return line.replace(QUOTATION, (quoted) => {
    const inner = quoted.slice(1, -1).trim();
    return /^[\p{Lu}][\p{L}\d.'-]*$/u.test(inner) ? inner : QUOTE_MARK;
  });
}
