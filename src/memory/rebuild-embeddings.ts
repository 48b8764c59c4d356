import { InvalidInputError } from '../errors/invalid-input-error.js';
import type { Scope } from '../model/scope.js';
import type { StoredText, TextPosition } from '../storage/memory-store.js';
import { embedSeparately } from './embed-separately.js';
import type { MemoryContext } from './memory-context.js';
import { measured } from './telemetry.js';
import { validateWhole } from './validate-input.js';

export interface RebuildInput {
  /** Only texts whose vector another embedder made, or that have none; false: all. @default true */
  readonly staleOnly?: boolean;
  /** Texts of one call to the embedder, and of one page in memory, 1-1,000. @default 100 */
  readonly batchSize?: number;
  /** Count what would be embedded; no provider call, no write. @default false */
  readonly dryRun?: boolean;
  /** Told the summary so far after each batch. */
  readonly onProgress?: (progress: RebuildSummary) => void;
  /** Ends it before the next text: the promise is rejected with the signal's reason, what is done stays done. */
  readonly signal?: AbortSignal;
}

/** Counts of texts: of memories, and of retained revisions that have a text of their own. */
export interface RebuildSummary {
  /** Texts that were looked at. The other three are made of them. */
  readonly processed: number;
  /** Texts that have a new vector. */
  readonly updated: number;
  /** Texts left alone: changed or gone while they were embedded, or all of them with `dryRun`. */
  readonly skipped: number;
  /** Ids of memories with a text that the embedder does not take, each once. Words go on finding them. */
  readonly failed: readonly string[];
}

/**
 * Makes the vectors of the present embedder for texts that lack them, after a change of model for one. Recall goes on
 * meanwhile, by words for what is not done yet. Nothing but vectors changes: no version, no revision, no event of a
 * memory. Retained revisions are done too, so that `asOf` keeps finding by meaning.
 *
 * Ended by a signal, a fault of the provider or a crash, the next call goes on where it stopped (with `staleOnly`). While
 * the scope is switched off, nothing of it is sent to a provider: the call ends, and finds the rest once it is on again.
 *
 * @throws ProviderError when the embedder fails as a whole; InvalidInputError naming the option at fault
 */
export async function rebuildEmbeddings(
  context: MemoryContext,
  scope: Scope,
  input: RebuildInput = {},
): Promise<RebuildSummary> {
  const { dryRun = false } = input;
  const batchSize = input.batchSize === undefined ? 100 : validateWhole('batchSize', input.batchSize, 1, 1_000);
  for (const option of ['staleOnly', 'dryRun'] as const) {
    if (input[option] !== undefined && typeof input[option] !== 'boolean')
      throw new InvalidInputError(option, `${option} must be true or false.`);
  }
  return measured(
    context,
    'engram.rebuild',
    scope,
    { dryRun, processed: 0, updated: 0, skipped: 0, failed: 0 },
    () => rebuild(context, scope, { ...input, dryRun, batchSize }),
    (summary) => ({ ...summary, failed: summary.failed.length }),
  );
}

async function rebuild(
  context: MemoryContext,
  scope: Scope,
  { staleOnly = true, batchSize, dryRun, onProgress, signal }: RebuildInput & { batchSize: number; dryRun: boolean },
): Promise<RebuildSummary> {
  const { space } = context.embedder;
  const counts = { processed: 0, updated: 0, skipped: 0 };
  const failed = new Set<string>();
  const summary = (): RebuildSummary => ({ ...counts, failed: [...failed] });
  for (let after: TextPosition | null = null; ;) {
    signal?.throwIfAborted();
    if (!dryRun && !(await context.switches.isOn(context.store, scope))) return summary();
    const texts: readonly StoredText[] = await context.store.textsToEmbed(scope, {
      space,
      staleOnly,
      after,
      limit: batchSize,
    });
    const last = texts.at(-1);
    if (!last) return summary();
    after = { memoryId: last.memoryId, version: last.version };

    const contents = texts.map(({ content }) => content);
    const vectors = dryRun ? null : await embedSeparately(context.embedder, contents, signal);
    for (const [index, text] of texts.entries()) {
      signal?.throwIfAborted();
      const values = vectors?.[index];
      if (values === null) failed.add(text.memoryId);
      else if (values && (await context.store.replaceVector(scope, text, { space, values }))) counts.updated += 1;
      else counts.skipped += 1;
      counts.processed += 1;
    }
    onProgress?.(summary());
  }
}
