import { storableText } from '../model/content.js';
import { stripPromptBlock } from '../model/prompt-block.js';

type Fields = Readonly<Record<string, unknown>>;

/** The object's fields; of anything else none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The words of a message, without a prompt block that the host put in: the text, or the text parts of a list. */
function wordsOf(content: unknown): string {
  const parts = Array.isArray(content) ? (content as unknown[]) : [{ type: 'text', text: content }];
  const texts = parts
    .map(fieldsOf)
    .filter((part) => part['type'] === 'text')
    .map((part) => part['text'])
    .filter((text) => typeof text === 'string');
  return storableText(stripPromptBlock(texts.join('\n'))).trim();
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

/**
 * What the user said since the last answer: the new part of a conversation that is sent as a whole each time. A message
 * of the assistant that calls tools is no answer, so one loop through tools is one turn; one at the very end is the
 * beginning of the answer that is asked for.
 */
export function saidSinceAnswer(messages: readonly unknown[]): string[] {
  const lastUser = messages.findLastIndex(isUser);
  const asked = messages.slice(0, lastUser + 1);
  return asked
    .slice(asked.findLastIndex(isAnswer) + 1)
    .filter(isUser)
    .map((message) => wordsOf(fieldsOf(message)['content']))
    .filter((words) => words !== '');
}
