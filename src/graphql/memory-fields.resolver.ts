import { Inject } from '@nestjs/common';
import { Context, Info, Parent, ResolveField, ResolveReference, Resolver } from '@nestjs/graphql';
import { identifiableRequest } from '../access/identifiable-request.js';
import type { GraphQLContext } from '../access/identifiable-request.js';
import type { GraphQLResolveInfo } from 'graphql';
import type { MemoryRevision } from '../model/revision.js';
import { MemoryLoaders } from './memory-loaders.js';
import { RequestCosts } from './request-costs.js';
import { masked } from './to-graphql-error.js';
import type { MemoryNode } from './types/memory-node.js';
import { MemoryRevisionType } from './types/memory-revision.type.js';
import { MemoryType } from './types/memory.type.js';

/** What a memory is asked for wherever it turns up, and what another subgraph refers to it by. */
@Resolver(() => MemoryType)
export class MemoryFieldsResolver {
  constructor(
    @Inject(MemoryLoaders) private readonly loaders: MemoryLoaders,
    @Inject(RequestCosts) private readonly costs: RequestCosts,
  ) {}

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
    @Info() info: GraphQLResolveInfo,
  ): Promise<MemoryNode | null> {
    return masked(async () => {
      const request = identifiableRequest(context);
      this.costs.spendReference(request, info);
      return this.loaders.reference(request, typeof id === 'string' ? id : '');
    });
  }
}
