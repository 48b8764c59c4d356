import { storableText } from '../model/content.js';
import type { Message } from '../model/message.js';
import { stripPromptBlock } from '../model/prompt-block.js';

type Fields = Readonly<Record<string, unknown>>;

/** The object's fields; of anything else none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The texts of a message's content: the text that it is, or the text parts of a list. */
export function textsIn(content: unknown): string[] {
  const parts = Array.isArray(content) ? (content as unknown[]) : [{ type: 'text', text: content }];
  return parts
    .map(fieldsOf)
    .filter((part) => part['type'] === 'text')
    .map((part) => part['text'])
    .filter((text) => typeof text === 'string');
}

/** The words of a message, without a prompt block that the host put in. */
function wordsOf(content: unknown): string {
  return storableText(stripPromptBlock(textsIn(content).join('\n'))).trim();
}

const isUser = (message: unknown): boolean => fieldsOf(message)['role'] === 'user';

/** Whether a message of the assistant calls tools instead of answering. */
export function callsTools(message: unknown): boolean {
  const { tool_calls: calls, function_call: call } = fieldsOf(message);
  return (Array.isArray(calls) && calls.length > 0) || (typeof call === 'object' && call !== null);
}

const isAnswer = (message: unknown): boolean => fieldsOf(message)['role'] === 'assistant' && !callsTools(message);

/** The user's last message, to recall by. Null: the user said nothing; empty: it has no words, only images, say. */
export function lastSaid(messages: readonly unknown[]): string | null {
  const message = messages.findLast(isUser);
  return message === undefined ? null : wordsOf(fieldsOf(message)['content']);
}

/** Where the turn begins: behind the last answer that the user has said something after. */
function turnStart(messages: readonly unknown[]): number {
  return messages.slice(0, messages.findLastIndex(isUser) + 1).findLastIndex(isAnswer) + 1;
}

/** What was said before the turn: the last so many messages that have words, the user's and answers. */
export function saidBefore(messages: readonly unknown[], most: number): Message[] {
  const before: Message[] = [];
  for (let index = turnStart(messages) - 1; index >= 0 && before.length < most; index -= 1) {
    const message = messages[index];
    const role = isUser(message) ? 'user' : isAnswer(message) ? 'assistant' : null;
    const content = role && wordsOf(fieldsOf(message)['content']);
    if (role && content) before.unshift({ role, content });
  }
  return before;
}

/**
 * What the user said since the last answer: the new part of a conversation that is sent as a whole each time. A message
 * of the assistant that calls tools is no answer, so one loop through tools is one turn; one at the very end is the
 * beginning of the answer that is asked for.
 */
export function saidSinceAnswer(messages: readonly unknown[]): string[] {
  return messages
    .slice(turnStart(messages))
    .filter(isUser)
    .map((message) => wordsOf(fieldsOf(message)['content']))
    .filter((words) => words !== '');
}
