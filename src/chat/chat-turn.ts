import { randomUUID } from 'node:crypto';
import type { Logger } from '@nestjs/common';
import type { ScopedMemory } from '../memory/scoped-memory.js';
import type { RecallInput } from '../memory/recall.js';
import type { ObserveInput } from '../memory/submit-turn.js';
import { errorClass } from '../memory/telemetry.js';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import { truncateCodePoints } from '../model/content.js';
import type { Message } from '../model/message.js';
import { injectIntoPrompt } from '../model/prompt-block.js';
import type { PromptMessage } from '../model/prompt-block.js';
import { answerOf } from './answer.js';
import type { Answer } from './answer.js';
import { lastSaid, saidBefore, saidSinceAnswer } from './spoken.js';
import { isStream, watchStream } from './watch-stream.js';

/** Messages before a turn that go along as its context: what "that one" refers to was said a moment ago. */
const CONTEXT_MESSAGES = 6;

/** The part of a `ScopedMemory` that a chat needs. */
export type ChatMemory = Pick<ScopedMemory, 'promptBlock' | 'observeLater'> & Partial<Pick<ScopedMemory, 'limits'>>;

/** How one turn of a chat is remembered. */
export interface ChatTurnSettings {
  readonly recall: RecallInput | null;
  readonly observe: Pick<ObserveInput, 'turnId' | 'timeZone'> | null;
  readonly timeoutMs: number;
}

/** One completion of a chat: recall before it is asked for, hand the turn in after it. Nothing here ever fails the chat. */
export class ChatTurn {
  private readonly occurredAt = new Date();
  /** Its age tells when it was said: what is erased while the model answers must not be learned by the answer's end. */
  private readonly begun = performance.now();
  /** As they were at the call: a caller may go on with its list while the model answers. */
  private readonly messages: readonly PromptMessage[];
  private isAnswered = false;

  constructor(
    private readonly memory: ChatMemory,
    messages: readonly PromptMessage[],
    private readonly settings: ChatTurnSettings,
    private readonly logger: Logger,
  ) {
    this.messages = [...messages];
  }

  /**
   * The messages with the block of recalled memories; without it where nothing is relevant, where memory fails or
   * takes too long, or where the caller gives the chat up meanwhile: then the client finds the aborted signal.
   */
  async remembered(signal: AbortSignal | undefined): Promise<readonly PromptMessage[]> {
    const { recall, timeoutMs } = this.settings;
    const query = lastSaid(this.messages);
    if (!recall || !query) return this.messages;
    try {
      const block = await withDeadline(timeoutMs, () => this.memory.promptBlock(query, recall), signal);
      return block === '' ? this.messages : injectIntoPrompt(this.messages, block);
    } catch (error) {
      if (signal?.aborted) return this.messages;
      const reason = error instanceof DeadlineError ? `no answer within ${timeoutMs} ms` : errorClass(error);
      this.logger.warn(`A chat went on without its memories: ${reason}.`);
      return this.messages;
    }
  }

  /** Sees what the client gives back, before its caller does, and hands the turn in when the answer is complete. */
  answered(data: unknown): void {
    if (!this.settings.observe || this.isAnswered) return;
    this.isAnswered = true;
    if (isStream(data)) watchStream(data, (answer) => void this.handIn(answer));
    else void this.handIn(answerOf(data));
  }

  private async handIn(answer: Answer | null): Promise<void> {
    if (!answer || answer.callsTools) return;
    try {
      const { observe } = this.settings;
      const messages = this.turnWith(answer.text);
      if (messages.length === 0) return;
      const context = this.contextOf();
      await this.memory.observeLater(messages, {
        turnId: randomUUID(),
        ...observe,
        occurredAt: this.occurredAt,
        ageMs: performance.now() - this.begun,
        ...(context.length > 0 && { context }),
      });
    } catch (error) {
      this.logger.warn(`A turn of a chat was not handed in: ${errorClass(error)}. Nothing is learned from it.`);
    }
  }

  /** Empty when the user has said nothing new. Cut to the memory's limits: a pasted book must not hide the sentence beside it. */
  private turnWith(answer: string): Message[] {
    const { turnMessages = Infinity, messageLength = Infinity } = this.memory.limits ?? {};
    const said = saidSinceAnswer(this.messages);
    if (said.length === 0) return [];
    const turn: Message[] = said.map((content) => ({ role: 'user', content }));
    if (answer.trim() !== '') turn.push({ role: 'assistant', content: answer });
    return cut(turn.slice(-turnMessages), messageLength);
  }

  private contextOf(): Message[] {
    const { contextMessages = CONTEXT_MESSAGES, messageLength = Infinity } = this.memory.limits ?? {};
    return cut(saidBefore(this.messages, Math.min(CONTEXT_MESSAGES, contextMessages)), messageLength);
  }
}

function cut(messages: readonly Message[], length: number): Message[] {
  return messages.map(({ role, content }) => ({ role, content: truncateCodePoints(content, length) }));
}
