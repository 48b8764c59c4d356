import { setTimeout as sleep } from 'node:timers/promises';
import type { Completion, CompletionRequest, CompletionResult } from '../../src/completion/completion.js';
import { ProviderError } from '../../src/errors/provider-error.js';

/** Longer than a third of the shortest lease, so that a heartbeat comes in between. */
const SLOW_MS = 450;

export interface SubjectModelOptions {
  /** Share 0-1 of calls that fail as a busy service does. @default 0 */
  readonly failing?: number;
  /** Longest random wait of a call in milliseconds. @default 0: it answers at once */
  readonly upToMs?: number;
}

/**
 * A model that always says the same about the same turn and the same memories. It knows these lines of a user:
 * `Favourite car is red. (0.7)` (the figure is the importance), `Has no favourite car any more.`, `Owns boat deva.`,
 * `Renames boat deva to boat suli.`, and `Refuse.`, `Slow.`, `Secret.` for what they say.
 */
export class SubjectModel implements Completion {
  readonly name = 'test:subject';
  readonly tasks = ['extract', 'consolidate'] as const;

  constructor(private readonly options: SubjectModelOptions = {}) {}

  async complete(request: CompletionRequest): Promise<CompletionResult> {
    const { failing = 0, upToMs = 0 } = this.options;
    if (upToMs > 0) await sleep(Math.random() * upToMs);
    if (Math.random() < failing) throw new ProviderError(this.name, 'rate-limited', true, 'Busy. Try again.');
    const answer = request.task === 'extract' ? await this.extract(request.input) : decide(request.input);
    return { text: JSON.stringify(answer), usage: { inputTokens: 1, outputTokens: 1 } };
  }

  private async extract({ messages }: (CompletionRequest & { task: 'extract' })['input']): Promise<unknown> {
    const memories: unknown[] = [];
    for (const [message, { role, content }] of messages.entries()) {
      if (role !== 'user') continue;
      for (const line of content.split('\n')) {
        if (line === 'Refuse.') throw new ProviderError(this.name, 'refused', false, 'Refused. Say something else.');
        if (line === 'Slow.') await sleep(SLOW_MS);
        const said = line === 'Secret.' ? 'The password is hunter2-correct-horse.' : line;
        const [, sentence = '', importance = '0.5'] = /^(.*?\.)(?: \((0\.\d)\))?$/.exec(said) ?? [];
        if (!/^(?:Favourite|Has no|Owns|Renames|The password)/.test(sentence)) continue;
        memories.push({ content: sentence, kind: 'fact', importance: Number(importance), message });
      }
    }
    return { memories };
  }
}

function decide({ candidate, neighbours }: (CompletionRequest & { task: 'consolidate' })['input']): unknown {
  const about = (start: string): string | null =>
    neighbours.find(({ content }) => content.startsWith(start))?.alias ?? null;
  const [, favourite] = /^Favourite (\w+) is/.exec(candidate.content) ?? [];
  const [, dropped] = /^Has no favourite (\w+) any more/.exec(candidate.content) ?? [];
  const [, oldName, newName] = /^Renames (boat \S+) to (boat \S+)\.$/.exec(candidate.content) ?? [];
  const memory = favourite
    ? about(`Favourite ${favourite} is`)
    : dropped
      ? about(`Favourite ${dropped} is`)
      : oldName
        ? about(`Owns ${oldName}.`)
        : null;
  if (dropped || (oldName && memory === null)) return { action: memory ? 'forget' : 'noop', memory, content: null };
  if (memory === null) return { action: 'add', memory: null, content: null };
  return { action: 'update', memory, content: newName ? `Owns ${newName}.` : candidate.content };
}
