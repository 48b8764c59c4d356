import type { RequestHeaders } from './memories-element.js';

export const KINDS = ['FACT', 'PREFERENCE', 'GOAL', 'INSTRUCTION', 'EPISODIC'] as const;
export type Kind = (typeof KINDS)[number];

/** A memory as the page shows it. */
export interface ShownMemory {
  readonly id: string;
  readonly content: string;
  readonly kind: Kind;
  readonly source: 'MANUAL' | 'OBSERVED' | 'IMPORTED';
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string | null;
}

/** An earlier state of a memory. */
export interface ShownRevision {
  readonly version: number;
  readonly content: string;
  readonly kind: Kind;
  readonly validFrom: string;
  readonly validTo: string;
  readonly endedBy: 'UPDATE' | 'FORGET' | 'EXPIRE' | 'MERGE' | 'RESTORE';
}

export interface MemoryPage {
  readonly memories: readonly ShownMemory[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly totalCount: number;
  readonly enabled: boolean;
}

/** What the server said no to, in its own words. */
export class RefusedError extends Error {
  /** @param code the `extensions.code` of the answer */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The server gave no answer that could be read. */
export class UnreachableError extends Error {
  constructor(options?: ErrorOptions) {
    super('The server cannot be reached. Check the connection, then try again.', options);
  }
}

export interface MemoryClientOptions {
  /** Absolute address of the GraphQL endpoint. */
  readonly endpoint: string;
  /** Asked before every request, so that a token can be a fresh one. */
  readonly headers: () => RequestHeaders | Promise<RequestHeaders>;
  /** Whose memory; null is the caller's own. */
  readonly scope: string | null;
  /** Told when an answer says that the server does not know who asks. */
  readonly onUnauthenticated: () => void;
}

export interface ListRequest {
  readonly search: string;
  readonly kind: Kind | null;
  readonly first: number;
  readonly after: string | null;
  readonly signal: AbortSignal;
}

interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** What both mutations that write a text say of it. */
interface Kept {
  readonly memory: { readonly id: string } | null;
  readonly rejection: { readonly message: string } | null;
}

function requireKept({ memory, rejection }: Kept): string | null {
  if (rejection) throw new RefusedError('REJECTED', rejection.message);
  return memory?.id ?? null;
}

const MEMORY = 'id content kind source version createdAt updatedAt expiresAt';

/** The memory operations of the GraphQL schema that the page needs. */
export class MemoryClient {
  constructor(private readonly options: MemoryClientOptions) {}

  async list({ search, kind, first, after, signal }: ListRequest): Promise<MemoryPage> {
    const { memories, memorySettings } = await this.ask<{
      memories: {
        edges: { node: ShownMemory }[];
        pageInfo: { endCursor: string | null; hasNextPage: boolean };
        totalCount: number;
      };
      memorySettings: { enabled: boolean };
    }>(
      `query Memories($scope: String, $kinds: [MemoryKind!], $search: String, $first: Int, $after: String) {
        memories(scope: $scope, kinds: $kinds, search: $search, first: $first, after: $after) {
          edges { node { ${MEMORY} } } pageInfo { endCursor hasNextPage } totalCount
        }
        memorySettings(scope: $scope) { enabled }
      }`,
      { kinds: kind ? [kind] : null, search: search.trim() || null, first, after },
      signal,
    );
    return {
      memories: memories.edges.map(({ node }) => node),
      ...memories.pageInfo,
      totalCount: memories.totalCount,
      enabled: memorySettings.enabled,
    };
  }

  /** Null where it is not there any more. */
  async find(id: string, signal: AbortSignal): Promise<ShownMemory | null> {
    const { memory } = await this.ask<{ memory: ShownMemory | null }>(
      `query Memory($id: ID!, $scope: String) { memory(id: $id, scope: $scope) { ${MEMORY} } }`,
      { id },
      signal,
    );
    return memory;
  }

  /** @returns its id. @throws RefusedError also for a text that is not kept */
  async add(content: string, kind: Kind): Promise<string | null> {
    const { addMemory } = await this.ask<{ addMemory: Kept }>(
      `mutation Add($input: AddMemoryInput!) { addMemory(input: $input) { memory { id } rejection { message } } }`,
      { input: { content, kind, scope: this.options.scope } },
    );
    return requireKept(addMemory);
  }

  /** @throws RefusedError also for a text that is not kept */
  async update(id: string, content: string, kind: Kind): Promise<void> {
    const { updateMemory } = await this.ask<{ updateMemory: Kept }>(
      `mutation Update($input: UpdateMemoryInput!) { updateMemory(input: $input) { memory { id } rejection { message } } }`,
      { input: { id, content, kind, scope: this.options.scope } },
    );
    requireKept(updateMemory);
  }

  async forget(id: string): Promise<void> {
    await this.ask('mutation Forget($id: ID!, $scope: String) { forgetMemory(id: $id, scope: $scope) }', { id });
  }

  async restore(id: string, version: number): Promise<void> {
    await this.ask(
      'mutation Restore($id: ID!, $version: Int!, $scope: String) { restoreMemory(id: $id, version: $version, scope: $scope) { id } }',
      { id, version },
    );
  }

  /** Latest first. */
  async history(id: string): Promise<readonly ShownRevision[]> {
    const { memoryHistory } = await this.ask<{ memoryHistory: ShownRevision[] }>(
      `query History($id: ID!, $scope: String) {
        memoryHistory(id: $id, scope: $scope) { version content kind validFrom validTo endedBy }
      }`,
      { id },
    );
    return memoryHistory.toSorted((one, other) => other.version - one.version);
  }

  /** @returns how many memories are gone */
  async forgetAll(): Promise<number> {
    const { forgetAllMemories } = await this.ask<{ forgetAllMemories: { memories: number } }>(
      'mutation ForgetAll($scope: String) { forgetAllMemories(scope: $scope) { memories } }',
      {},
    );
    return forgetAllMemories.memories;
  }

  async setEnabled(enabled: boolean): Promise<void> {
    await this.ask(
      'mutation SetEnabled($enabled: Boolean!, $scope: String) { setMemoryEnabled(enabled: $enabled, scope: $scope) { enabled } }',
      { enabled },
    );
  }

  /** @throws RefusedError, UnreachableError */
  private async ask<T>(query: string, variables: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<T> {
    let answer: Answer<T>;
    try {
      const response = await fetch(this.options.endpoint, {
        method: 'POST',
        headers: { ...(await this.options.headers()), 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { scope: this.options.scope, ...variables } }),
        ...(signal && { signal }),
      });
      answer = (await response.json()) as Answer<T>;
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new UnreachableError({ cause: error });
    }
    const [fault] = answer.errors ?? [];
    if (fault) {
      const code = fault.extensions?.code ?? 'UNAVAILABLE';
      if (code === 'UNAUTHENTICATED') this.options.onUnauthenticated();
      throw new RefusedError(code, fault.message);
    }
    if (!answer.data) throw new UnreachableError();
    return answer.data;
  }
}
