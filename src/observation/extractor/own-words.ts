import type { EarlierMessage } from '../../completion/completion.js';
import type { Candidate } from '../../model/decision.js';
import type { Message } from '../../model/message.js';
import { words } from '../../model/search-text.js';
import { isSmallTalk } from '../../model/small-talk.js';
import { shareIn, standsIn, tellingWords } from '../telling-words.js';
import { deniesInWords } from '../words-of-denial.js';
import { messageParts } from './message-parts.js';
import { isToldOfOthers } from './told-of-others.js';

/** An answer to "So you are on the Pro plan?" is short; in more words a user says themselves what they mean. */
const CONFIRMATION_WORDS_MAX = 12;

/** From this share of a sentence's words on, it was taken from where they stand. */
const TAKEN_FROM = 0.5;

/** Where the words of a turn stand. Read once for all its candidates. */
export class OwnWords {
  private readonly own = new Set<string>();
  /** What the users of the turn say themselves. */
  private readonly told: string[] = [];
  /** Quoted by a user, printed by a tool, or set by the system. */
  private readonly foreign = new Set<string>();
  /** What the user said before the turn, a message each. */
  private readonly earlier: { readonly content: string; readonly words: ReadonlySet<string> }[] = [];
  /** What was said before and the messages, in the order said. */
  private readonly spoken: Message[] = [];
  /** Where in it each of the messages stands. */
  private readonly places: number[] = [];

  constructor(
    private readonly messages: readonly Message[],
    context: readonly EarlierMessage[] = [],
  ) {
    for (const [number, message] of messages.entries()) {
      this.spoken.push(...context.filter(({ before }) => before === number));
      this.places.push(this.spoken.length);
      this.spoken.push(message);
      const { role, content } = message;
      if (role === 'user') {
        this.read(content, this.own);
        this.told.push(...messageParts(content).flatMap(({ text, quoted }) => (quoted ? [] : text)));
      } else if (role !== 'assistant') addAll(this.foreign, words(content));
    }
    for (const { role, content } of context) {
      if (role !== 'user') continue;
      const own = new Set<string>();
      this.read(content, own);
      this.earlier.push({ content, words: own });
    }
  }

  /**
   * Whether a candidate may be the user's own: not when none of its words is theirs and others said it, nor when they say
   * it of somebody else. Words that nobody
   * said are a model's wording and pass. A bare "yes, exactly" makes the assistant's words the user's, but no instruction.
   * What the user said before the turn only counts where the turn goes on from it.
   */
  isUsers({ content, kind, messageNo }: Candidate): boolean {
    const said = tellingWords(content);
    if (said.length === 0) return true;
    if (isToldOfOthers(content, this.told)) return false;
    const place = this.places[messageNo] ?? 0;
    if (this.isRepeated(content, said)) return kind !== 'instruction' && this.confirms(place, said);
    if (said.some((word) => standsIn(word, this.own))) return true;
    const before = this.assistantWords(0, place);
    if (kind === 'instruction') {
      return !said.some((word) => standsIn(word, this.foreign) || standsIn(word, before));
    }
    if (shareIn(said, this.foreign) >= TAKEN_FROM) return false;
    if (shareIn(said, before) >= TAKEN_FROM) return this.confirms(place, said);
    return shareIn(said, this.assistantWords(place + 1, this.spoken.length)) < 1;
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

  /**
   * Said before the turn already, and hardly in it. "I sold it" after "I have a boat" makes "Does not have a boat": of the
   * same words, but another statement.
   */
  private isRepeated(content: string, said: readonly string[]): boolean {
    const own = shareIn(said, this.own);
    if (own >= TAKEN_FROM) return false;
    return this.earlier.some(
      (message) =>
        shareIn(said, message.words) >= (own === 0 ? TAKEN_FROM : 1) &&
        deniesInWords(content) === deniesInWords(message.content),
    );
  }

  private confirms(place: number, said: readonly string[]): boolean {
    const reply = this.spoken[place]?.content ?? '';
    const asked = this.spoken[place - 1];
    return (
      asked?.role === 'assistant' &&
      shareIn(said, new Set(words(asked.content))) >= TAKEN_FROM &&
      words(reply).length <= CONFIRMATION_WORDS_MAX &&
      !/[?\uFF1F]\s*$/u.test(reply) &&
      !isSmallTalk(reply)
    );
  }

  private read(content: string, own: Set<string>): void {
    for (const { text, quoted } of messageParts(content)) addAll(quoted ? this.foreign : own, words(text));
  }

  private assistantWords(from: number, to: number): Set<string> {
    const found = new Set<string>();
    for (const { role, content } of this.spoken.slice(from, to))
      if (role === 'assistant') addAll(found, words(content));
    return found;
  }
}

function addAll(set: Set<string>, all: readonly string[]): void {
  for (const word of all) set.add(word);
}
