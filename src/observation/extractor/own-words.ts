import type { Candidate } from '../../model/decision.js';
import type { Message } from '../../model/message.js';
import { words } from '../../model/search-text.js';
import { isSmallTalk } from '../../model/small-talk.js';
import { shareIn, standsIn, tellingWords } from '../telling-words.js';
import { messageParts } from './message-parts.js';

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
    const said = tellingWords(content);
    if (said.length === 0 || said.some((word) => standsIn(word, this.own))) return true;
    const before = this.assistantWords(0, messageNo);
    if (kind === 'instruction') {
      return !said.some((word) => standsIn(word, this.foreign) || standsIn(word, before));
    }
    if (shareIn(said, this.foreign) >= TAKEN_FROM) return false;
    if (shareIn(said, before) >= TAKEN_FROM) return this.confirms(messageNo, said);
    return shareIn(said, this.assistantWords(messageNo + 1, this.messages.length)) < 1;
  }

  /** The user message that a candidate's words most likely came from; the last one where none stands out, -1 without one. */
  likelySource(content: string): number {
    const said = tellingWords(content);
    let best = -1;
    let most = 0;
    for (const [index, { role, content: text }] of this.messages.entries()) {
      if (role !== 'user') continue;
      const own = new Set(messageParts(text).flatMap((part) => (part.quoted ? [] : words(part.text))));
      const shared = shareIn(said, own);
      if (shared >= most) [best, most] = [index, shared];
    }
    return best;
  }

  private confirms(messageNo: number, said: readonly string[]): boolean {
    const reply = this.messages[messageNo]?.content ?? '';
    const asked = this.messages[messageNo - 1];
    return (
      asked?.role === 'assistant' &&
      shareIn(said, new Set(words(asked.content))) >= TAKEN_FROM &&
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
