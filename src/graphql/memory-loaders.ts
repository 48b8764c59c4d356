import { Inject, Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { AccessService } from '../access/access.service.js';
import type { IdentifiableRequest } from '../access/identity.js';
import { MemoryService } from '../memory/memory.service.js';
import type { MemoryRevision } from '../model/revision.js';
import { masked, toThrownError } from './to-graphql-error.js';
import { toNode } from './types/memory-node.js';
import type { MemoryNode } from './types/memory-node.js';

interface HistoryKey {
  readonly scope: string;
  readonly id: string;
}

interface RequestLoaders {
  readonly histories: DataLoader<HistoryKey, readonly MemoryRevision[]>;
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

  /** Earlier states of a memory of that scope. @throws ForbiddenError, UnauthenticatedError */
  history(request: IdentifiableRequest, key: HistoryKey): Promise<readonly MemoryRevision[]> {
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
      histories: new DataLoader((keys) => this.histories(request, keys), options),
      references: new DataLoader((ids) => this.references(request, ids), options),
    };
    this.loaders.set(request, made);
    return made;
  }

  /** A scope that is refused leaves the others of the batch alone. */
  private async histories(
    request: IdentifiableRequest,
    keys: readonly HistoryKey[],
  ): Promise<(readonly MemoryRevision[] | Error)[]> {
    const answers = new Map<HistoryKey, readonly MemoryRevision[] | Error>();
    const read = async (name: string): Promise<void> => {
      const ofScope = keys.filter(({ scope }) => scope === name);
      try {
        const granted = await this.access.granted(request, name, 'read');
        const histories = await this.memories.for(granted).histories(ofScope.map(({ id }) => id));
        ofScope.forEach((key, index) => answers.set(key, histories[index] ?? []));
      } catch (error) {
        const told = toThrownError(error);
        ofScope.forEach((key) => answers.set(key, told));
      }
    };
    await Promise.all([...new Set(keys.map(({ scope }) => scope))].map(read));
    return keys.map((key) => answers.get(key) ?? []);
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
