import { ProviderError } from '../../errors/provider-error.js';
import type { Completion, CompletionRequest, CompletionResult, ExtractionInput } from '../completion.js';
import { loadEnglish } from './english.js';
import type { English } from './english.js';
import { statementsIn } from './statements.js';

/**
 * Extraction by rules: English, offline, deterministic, about a millisecond a message.
 *
 * It reads the user's first-person statements and writes each as a short sentence without a subject: "I'm on the Pro
 * plan" becomes "Is on the Pro plan". It would rather miss than invent, so it knows a closed set of statements: name,
 * age, origin, home, work, family, pets, measures, health and diet, plans, tools and hosting, tastes, standing wishes about the
 * answers, long-term goals, habits, and events on a day that can be named.
 *
 * Limits: English only. Nothing is read from questions, hypotheses, guesses, hearsay, irony that it can see, quotations,
 * code, pasted text, or from any role but `user`. What other people are or do is not kept. A statement without an "I",
 * "my" or "we" ("vegetarian here") is missed, so is one that needs the sentence before it, but for a name ("Her name is Miso") and a
 * correction ("No, I meant cashews"). Where a model is at hand,
 * use it.
 *
 * Needs the optional peer `compromise`, loaded at the first call or by `start`.
 */
export class LocalCompletion implements Completion {
  readonly name = 'local:rules';
  readonly tasks = ['extract'] as const;
  private english: Promise<English> | undefined;

  /** Loads the grammar (about 0.3 s) ahead of the first turn. @throws InvalidOptionsError when `compromise` is missing */
  async start(): Promise<void> {
    await this.grammar();
  }

  /**
   * Answers with `{"memories":[{"content","kind","importance","message"}]}`; `message` is the index of the message in the
   * request, `importance` 0-1.
   * @throws InvalidOptionsError when `compromise` is not installed
   * @throws ProviderError for any task but `extract`
   */
  async complete(request: CompletionRequest): Promise<CompletionResult> {
    if (request.task !== 'extract') {
      throw new ProviderError(
        this.name,
        'unavailable',
        false,
        'LocalCompletion answers only "extract". Leave "consolidate" to the heuristic consolidator or set a model.',
      );
    }
    const english = await this.grammar();
    const { messages, occurredAt, timeZone } = request.input;
    const memories = messages.flatMap(
      ({ role, content, occurredAt: at = occurredAt, timeZone: zone = timeZone }, message) =>
        role === 'user'
          ? statementsIn(content, english, at, zone, saidBefore(request.input, message)).map((finding) => ({
              ...finding,
              message,
            }))
          : [],
    );
    return { text: JSON.stringify({ memories }) };
  }

  private grammar(): Promise<English> {
    // A failed load is tried again at the next call: the package may have been installed since.
    this.english ??= loadEnglish().catch((error: unknown) => {
      this.english = undefined;
      throw error;
    });
    return this.english;
  }
}

/** What the user said last before a message, in the turn or before it. */
function saidBefore({ messages, context = [] }: ExtractionInput, number: number): string {
  const spoken = messages.flatMap((message, place) => [
    ...context.filter(({ before }) => before === place && place <= number),
    ...(place < number ? [message] : []),
  ]);
  return spoken.findLast(({ role }) => role === 'user')?.content ?? '';
}
