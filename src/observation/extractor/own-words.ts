import type { Candidate } from '../../model/decision.js';
import type { Message } from '../../model/message.js';
import { words } from '../../model/search-text.js';
import { isSmallTalk } from '../../model/small-talk.js';
import { messageParts } from './message-parts.js';

/** Words by which a sentence about a user is built, whatever it says; they show nothing about where it came from. */
const SCAFFOLD = new Set(
  (
    'a an the and or but not no of to in on at for from with by as is are was were be been has have had do does did will would can cannot could should may ' +
    'it its this that these those they their them he his him she her i my me we our us you your user users person ' +
    'like likes love loves prefer prefers want wants need needs use uses always never every each when if also than then now any more so very ' +
    'assistant answer answers reply replies response responses'
  ).split(' '),
);

/** An answer to "So you are on the Pro plan?" is short; in more words a user says themselves what they mean. */
const CONFIRMATION_WORDS_MAX = 12;

/** From this share of a sentence's words on, it was taken from where they stand. */
const TAKEN_FROM = 0.5;

/** Where the words of a turn stand. Read once for all its candidates. */
export class OwnWords {
  private readonly own = new Set<string>();
  /** Quoted by a user, printed by a tool, or set by the system. */
  private readonly foreign = new Set<string>();

  constructor(private readonly messages: readonly Message[]) {
    for (const { role, content } of messages) {
      if (role === 'user') {
        for (const { text, quoted } of messageParts(content)) addAll(quoted ? this.foreign : this.own, words(text));
      } else if (role !== 'assistant') addAll(this.foreign, words(content));
    }
  }

  /**
   * Whether a candidate may be the user's own: not when none of its words is theirs and others said it. Words that nobody
   * said are a model's wording and pass. A bare "yes, exactly" makes the assistant's words the user's, but no instruction.
   */
  isUsers({ content, kind, messageNo }: Candidate): boolean {
    const said = words(content).filter((word) => !SCAFFOLD.has(word));
    if (said.length === 0 || said.some((word) => holds(this.own, word))) return true;
    const before = this.assistantWords(0, messageNo);
    if (kind === 'instruction') {
      return !said.some((word) => holds(this.foreign, word) || holds(before, word));
    }
    if (share(said, this.foreign) >= TAKEN_FROM) return false;
    if (share(said, before) >= TAKEN_FROM) return this.confirms(messageNo, said);
    return share(said, this.assistantWords(messageNo + 1, this.messages.length)) < 1;
  }

  /** The user message that a candidate's words most likely came from; the last one where none stands out, -1 without one. */
  likelySource(content: string): number {
    const said = words(content).filter((word) => !SCAFFOLD.has(word));
    let best = -1;
    let most = 0;
    for (const [index, { role, content: text }] of this.messages.entries()) {
      if (role !== 'user') continue;
      const own = new Set(messageParts(text).flatMap((part) => (part.quoted ? [] : words(part.text))));
      const shared = share(said, own);
      if (shared >= most) [best, most] = [index, shared];
    }
    return best;
  }

  private confirms(messageNo: number, said: readonly string[]): boolean {
    const reply = this.messages[messageNo]?.content ?? '';
    const asked = this.messages[messageNo - 1];
    return (
      asked?.role === 'assistant' &&
      share(said, new Set(words(asked.content))) >= TAKEN_FROM &&
      words(reply).length <= CONFIRMATION_WORDS_MAX &&
      !/[?\uFF1F]\s*$/u.test(reply) &&
      !isSmallTalk(reply)
    );
  }

  private assistantWords(from: number, to: number): Set<string> {
    const found = new Set<string>();
    for (const { role, content } of this.messages.slice(from, to))
      if (role === 'assistant') addAll(found, words(content));
    return found;
  }
}

function addAll(set: Set<string>, all: readonly string[]): void {
  for (const word of all) set.add(word);
}

function share(said: readonly string[], among: ReadonlySet<string>): number {
  return said.length === 0 ? 0 : said.filter((word) => holds(among, word)).length / said.length;
}

/** The word itself or another form of it: equal but for three letters at the end ("deploy", "deploys", "deployed"). */
function holds(among: ReadonlySet<string>, word: string): boolean {
  if (among.has(word)) return true;
  if (word.length < 4) return false;
  for (const other of among) {
    const stem = Math.max(4, Math.min(word.length, other.length) - 3);
    if (Math.abs(word.length - other.length) <= 3 && word.slice(0, stem) === other.slice(0, stem)) return true;
  }
  return false;
}
