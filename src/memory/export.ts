import { Readable } from 'node:stream';
import { ConflictError } from '../errors/conflict-error.js';
import type { MemoryKind } from '../model/kind.js';
import type { MemoryMetadata, MemorySource } from '../model/memory.js';
import type { Scope } from '../model/scope.js';
import type { ScopeState, SpaceVector } from '../storage/memory-store.js';
import type { MemoryContext } from './memory-context.js';

/** Memories of one statement; a page with vectors of 1,536 numbers is some 3 MB of text. */
const PAGE_SIZE = 200;

export interface ExportInput {
  /** Each line has its `vector` too: `{ space, values }`, or null where there is none. @default false */
  readonly withVectors?: boolean;
}

/** One line of an export, as JSON has it: dates are ISO 8601 in UTC. */
export interface ExportedMemory {
  readonly id: string;
  readonly content: string;
  readonly kind: MemoryKind;
  /** 0-1. */
  readonly importance: number;
  readonly metadata: MemoryMetadata;
  readonly source: MemorySource;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string | null;
  /** Only with `withVectors`. */
  readonly vector?: SpaceVector | null;
}

/** Notes the scope's generation at once, and reads nothing before the stream is read. */
export function exportMemories(context: MemoryContext, scope: Scope, input: ExportInput = {}): Readable {
  const begun = context.store.scopeState(scope);
  // A failure is told to who reads the stream; one that nobody reads must not end the process.
  begun.catch(() => undefined);
  return Readable.from(lines(context, scope, begun, input.withVectors === true));
}

async function* lines(
  context: MemoryContext,
  scope: Scope,
  begun: Promise<ScopeState>,
  withVectors: boolean,
): AsyncGenerator<string> {
  const { generation } = await begun;
  // Ends on an empty page, not on a short one: so the last look at the generation comes after the last memory.
  for (let after: string | null = null; ;) {
    const page = await context.store.exportPage(scope, { after, limit: PAGE_SIZE, withVectors });
    if (page.generation !== generation) {
      throw new ConflictError(
        'The scope was erased while it was exported. Discard what was written of it, and export again if there is new.',
      );
    }
    for (const { memory, vector } of page.memories) {
      const { id, content, kind, importance, metadata, source, version } = memory;
      const line: ExportedMemory = {
        id,
        content,
        kind,
        importance,
        metadata,
        source,
        version,
        createdAt: memory.createdAt.toISOString(),
        updatedAt: memory.updatedAt.toISOString(),
        expiresAt: memory.expiresAt?.toISOString() ?? null,
        ...(withVectors ? { vector } : {}),
      };
      yield `${JSON.stringify(line)}\n`;
      after = id;
    }
    if (page.memories.length === 0) return;
  }
}
