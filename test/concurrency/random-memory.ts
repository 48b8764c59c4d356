import type { Completion, CompletionRequest, CompletionResult, Message, ScopedMemory } from 'nestjs-engram';
import type { DataSource } from 'typeorm';
import { ProviderError } from '../../src/errors/provider-error.js';
import { decided, extracted } from '../memory/memory-app.js';
import type { Random } from '../support/random.js';

/** Few, so that the same is said, forgotten and said again. */
const NOUNS = ['boat', 'bike', 'dog', 'garden', 'guitar', 'plan'] as const;
const STATEMENTS = NOUNS.flatMap((noun) => ['red', 'blue', 'old'].map((which) => `Has a ${which} ${noun}`));

/** A model that fails now and then, and decides about what it is shown as chance has it. */
export class RandomCompletion implements Completion {
  readonly name = 'random:answers';
  readonly tasks = ['extract', 'consolidate'] as const;

  constructor(private readonly random: Random) {}

  async complete(request: CompletionRequest): Promise<CompletionResult> {
    if (this.random.chance(0.15)) throw new ProviderError('random', 'unavailable', true, 'Not now. Try again.');
    if (request.task === 'extract') return { text: extracted(...said(request.input.messages)) };
    const { alias = '' } = this.random.of([{}, ...request.input.neighbours]) as { alias?: string };
    return { text: alias === '' ? decided('add') : decided(this.random.of(['update', 'forget', 'noop']), alias) };
  }
}

function turn(statements: readonly string[]): Message[] {
  return statements.map((content) => ({ role: 'user', content: `You should know this about me: ${content}` }));
}

/** What `turn` was made of. */
function said(messages: readonly Message[]): string[] {
  return messages.map(({ content }) => content.slice(content.indexOf(': ') + 2));
}

/** One call that changes something, chosen by chance. It may be refused; what it may not do is the test's. */
export function randomCall(
  random: Random,
  memory: ScopedMemory,
  dataSource: DataSource,
  known: readonly string[],
): () => Promise<unknown> {
  const id = known.length > 0 ? random.of(known) : '018f0000-0000-7000-8000-000000000000';
  const anyCase = random.chance(0.2) ? id.toUpperCase() : id;
  const statement = random.of(STATEMENTS);
  const content = random.chance(0.2) ? statement.toUpperCase() : statement;
  const soon = new Date(Date.now() + random.upTo(40));
  const expiry = random.chance(0.15) ? { expiresAt: soon } : {};
  const turnId = `turn ${random.upTo(30)}`;
  const messages = turn([statement, random.of(STATEMENTS)].slice(random.upTo(1)));
  const importance = random.next();
  const version = 1 + random.upTo(5);
  const more = [random.of(STATEMENTS), random.of(STATEMENTS)].map((one) => ({ content: one }));
  const rollsBack = random.chance(0.4);
  const { calls } = random.of(
    [
      { weight: 6, calls: () => memory.add(content, { importance, ...expiry }) },
      { weight: 2, calls: () => memory.addMany(more) },
      { weight: 6, calls: () => memory.update(anyCase, { content }) },
      { weight: 2, calls: () => memory.update(anyCase, { importance, ...expiry }) },
      { weight: 4, calls: () => memory.forget(anyCase) },
      { weight: 1, calls: () => memory.forget(anyCase, { purge: true }) },
      { weight: 4, calls: () => memory.restore(anyCase, version) },
      { weight: 5, calls: () => memory.observe(messages, { turnId }) },
      { weight: 3, calls: () => memory.observeLater(messages) },
      { weight: 2, calls: () => memory.retryObservation(turnId) },
      { weight: 1, calls: () => memory.forgetStale({ olderThan: new Date(), minImportance: 0.2 }) },
      { weight: 1, calls: () => memory.rebuildEmbeddings({ staleOnly: false }) },
      { weight: 1, calls: () => memory.setEnabled(false).then(() => memory.setEnabled(true)) },
      { weight: 0.4, calls: () => memory.forgetAll() },
      {
        weight: 4,
        calls: () =>
          dataSource.transaction(async (manager) => {
            const within = memory.within(manager);
            await within.add(content);
            // Caught by the host, which goes on and commits.
            await within.update(anyCase, { content: statement }).catch(() => undefined);
            await manager
              .transaction(async (inner) => {
                await memory.within(inner).forget(anyCase);
                await memory.within(inner).observeLater(messages, { turnId });
                if (rollsBack) throw new Error('The host takes this back.');
              })
              .catch(() => undefined);
            if (random.chance(0.3)) throw new Error('The host takes all of it back.');
          }),
      },
    ].flatMap((call) => Array.from({ length: Math.ceil(call.weight * 2.5) }, () => call)),
  );
  return calls;
}
