import { Inject } from '@nestjs/common';
import { Context, Parent, ResolveField, ResolveReference, Resolver } from '@nestjs/graphql';
import { identifiableRequest } from '../access/identifiable-request.js';
import type { GraphQLContext } from '../access/identifiable-request.js';
import type { MemoryRevision } from '../model/revision.js';
import { MemoryLoaders } from './memory-loaders.js';
import { masked } from './to-graphql-error.js';
import type { MemoryNode } from './types/memory-node.js';
import { MemoryRevisionType } from './types/memory-revision.type.js';
import { MemoryType } from './types/memory.type.js';

/** What a memory is asked for wherever it turns up, and what another subgraph refers to it by. */
@Resolver(() => MemoryType)
export class MemoryFieldsResolver {
  constructor(@Inject(MemoryLoaders) private readonly loaders: MemoryLoaders) {}

  @ResolveField(() => [MemoryRevisionType], { description: 'Earlier states, oldest first.' })
  history(
    @Parent() { id, scope }: Pick<MemoryNode, 'id' | 'scope'>,
    @Context() context: GraphQLContext | undefined,
  ): Promise<readonly MemoryRevision[]> {
    return masked(async () => this.loaders.history(identifiableRequest(context), { scope, id }));
  }

  /** Null for an id that is in no scope of the caller's, as for one that is none. */
  @ResolveReference()
  resolveReference(
    @Parent() { id }: { readonly id?: unknown },
    @Context() context: GraphQLContext | undefined,
  ): Promise<MemoryNode | null> {
    return masked(async () => this.loaders.reference(identifiableRequest(context), typeof id === 'string' ? id : ''));
  }
}
