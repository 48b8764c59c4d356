import { Inject, Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { AccessService } from '../access/access.service.js';
import type { IdentifiableRequest } from '../access/identity.js';
import { MemoryService } from '../memory/memory.service.js';
import type { ScopedMemory } from '../memory/scoped-memory.js';
import type { MemoryRevision } from '../model/revision.js';
import { masked, toThrownError } from './to-graphql-error.js';
import { toNode, toNodeOrNull } from './types/memory-node.js';
import type { MemoryNode } from './types/memory-node.js';

/** A memory by the scope that it is said to be in. */
interface MemoryKey {
  readonly scope: string;
  readonly id: string;
}

interface RequestLoaders {
  readonly memories: DataLoader<MemoryKey, MemoryNode | null>;
  readonly histories: DataLoader<MemoryKey, readonly MemoryRevision[]>;
  readonly references: DataLoader<string, MemoryNode | null>;
}

/** Most ids that `getMany` and `histories` take. */
const IDS_AT_ONCE = 1_000;

/**
 * What the fields of many memories ask for at once is read by one statement a scope, as the one who asks: guards do not
 * run on such fields. Nothing is kept: a mutation or the next event of a subscription must find what is true then.
 */
@Injectable()
export class MemoryLoaders {
  private readonly loaders = new WeakMap<IdentifiableRequest, RequestLoaders>();

  constructor(
    @Inject(MemoryService) private readonly memories: MemoryService,
    @Inject(AccessService) private readonly access: AccessService,
  ) {}

  /** The live memory of that scope, or null. @throws ForbiddenError, UnauthenticatedError */
  memory(request: IdentifiableRequest, key: MemoryKey): Promise<MemoryNode | null> {
    return this.of(request).memories.load(key);
  }

  /** Earlier states of a memory of that scope. @throws ForbiddenError, UnauthenticatedError */
  history(request: IdentifiableRequest, key: MemoryKey): Promise<readonly MemoryRevision[]> {
    return this.of(request).histories.load(key);
  }

  /**
   * The live memory of an id in a scope that the caller may read, its own first; null for any other id.
   * @throws UnauthenticatedError
   */
  reference(request: IdentifiableRequest, id: string): Promise<MemoryNode | null> {
    return this.of(request).references.load(id);
  }

  private of(request: IdentifiableRequest): RequestLoaders {
    const known = this.loaders.get(request);
    if (known) return known;
    const options = { cache: false, maxBatchSize: IDS_AT_ONCE };
    const made: RequestLoaders = {
      memories: new DataLoader(
        (keys) =>
          this.read(request, keys, async (memory, ids) =>
            (await memory.getMany(ids)).map((found) => toNodeOrNull(memory.scope.scope, found)),
          ),
        options,
      ),
      histories: new DataLoader(
        (keys) => this.read(request, keys, async (memory, ids) => memory.histories(ids)),
        options,
      ),
      references: new DataLoader((ids) => this.references(request, ids), options),
    };
    this.loaders.set(request, made);
    return made;
  }

  /** A scope that is refused leaves the others of the batch alone. */
  private async read<T>(
    request: IdentifiableRequest,
    keys: readonly MemoryKey[],
    ofScope: (memory: ScopedMemory, ids: readonly string[]) => Promise<readonly T[]>,
  ): Promise<(T | Error)[]> {
    const answers = new Map<MemoryKey, T | Error>();
    const answer = async (name: string): Promise<void> => {
      const asked = keys.filter(({ scope }) => scope === name);
      const ids = [...new Set(asked.map(({ id }) => id))];
      try {
        const granted = await this.access.granted(request, name, 'read');
        const found = await ofScope(this.memories.for(granted), ids);
        for (const key of asked) answers.set(key, found[ids.indexOf(key.id)] as T);
      } catch (error) {
        const told = toThrownError(error);
        for (const key of asked) answers.set(key, told);
      }
    };
    await Promise.all([...new Set(keys.map(({ scope }) => scope))].map(answer));
    return keys.map((key) => answers.get(key) as T | Error);
  }

  private references(request: IdentifiableRequest, ids: readonly string[]): Promise<(MemoryNode | null)[]> {
    return masked(async () => {
      const found = new Map<string, MemoryNode>();
      for (const scope of await this.access.readable(request)) {
        const missing = [...new Set(ids)].filter((id) => !found.has(id));
        if (missing.length === 0) break;
        const memories = await this.memories.for(scope).getMany(missing);
        missing.forEach((id, index) => {
          const memory = memories[index];
          if (memory) found.set(id, toNode(scope.scope, memory));
        });
      }
      return ids.map((id) => found.get(id) ?? null);
    });
  }
}
