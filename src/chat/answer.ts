import { storableText } from '../model/content.js';
import { callsTools, fieldsOf, textsIn } from './spoken.js';

/** What came back of a completion, of the first choice: text, refusal or the words of a spoken answer. */
export interface Answer {
  readonly text: string;
  /** The model waits for tools: this is not yet what the user gets to read. */
  readonly callsTools: boolean;
}

const TOOL_FINISHES: readonly unknown[] = ['tool_calls', 'function_call'];

function wordsOf(message: unknown): string {
  const { content, refusal, audio } = fieldsOf(message);
  // Some services answer in parts, thoughts among them.
  const words = [textsIn(content).join(''), refusal, fieldsOf(audio)['transcript']].find(
    (text) => typeof text === 'string' && text !== '',
  );
  return (words as string | undefined) ?? '';
}

function firstChoice(completion: unknown): Readonly<Record<string, unknown>> | null {
  const { choices } = fieldsOf(completion);
  if (!Array.isArray(choices)) return null;
  const choice = (choices as unknown[]).find((each) => (fieldsOf(each)['index'] ?? 0) === 0);
  return choice === undefined ? null : fieldsOf(choice);
}

/** Null where there is no answer in what came back. */
export function answerOf(completion: unknown): Answer | null {
  const choice = firstChoice(completion);
  if (!choice) return null;
  const { message, finish_reason: finish } = choice;
  return { text: storableText(wordsOf(message)), callsTools: callsTools(message) || TOOL_FINISHES.includes(finish) };
}

/** Gathers an answer from the chunks of a stream. */
export class StreamedAnswer {
  private readonly parts: string[] = [];
  private finished = false;
  private tools = false;

  add(chunk: unknown): void {
    const choice = firstChoice(chunk);
    if (!choice) return;
    const { delta, finish_reason: finish } = choice;
    this.parts.push(wordsOf(delta));
    this.finished ||= typeof finish === 'string';
    this.tools ||= callsTools(delta) || TOOL_FINISHES.includes(finish);
  }

  /** What has come so far. Null before its first word, unless the model has finished without one. */
  get soFar(): Answer | null {
    const text = this.parts.join('');
    return text === '' && !this.finished && !this.tools ? null : { text: storableText(text), callsTools: this.tools };
  }
}
