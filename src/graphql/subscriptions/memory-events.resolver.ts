import { Inject, UseFilters } from '@nestjs/common';
import { Context, Parent, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { AccessService } from '../../access/access.service.js';
import { connectionOf, identifiableRequest } from '../../access/identifiable-request.js';
import type { GraphQLContext } from '../../access/identifiable-request.js';
import { MemoryScopeParam } from '../../access/require-memory-access.js';
import { MemoryService } from '../../memory/memory.service.js';
import type { Scope } from '../../model/scope.js';
import { MemoryEventsArgsType } from '../inputs/memory-events.args.js';
import type { MemoryEventsArguments } from '../inputs/memory-events.args.js';
import { MemoryArgs } from '../inputs/memory-args.js';
import { MemoryErrorFilter } from '../memory-error.filter.js';
import { MemoryField } from '../memory-field.js';
import { MemoryEventType } from '../types/memory-event.type.js';
import { masked } from '../to-graphql-error.js';
import { toNodeOrNull } from '../types/memory-node.js';
import type { MemoryNode } from '../types/memory-node.js';
import { MemoryType } from '../types/memory.type.js';
import type { MemoryEventMessage } from './memory-event-message.js';
import { MemorySubscriptions } from './memory-subscriptions.js';

@Resolver(() => MemoryEventType)
@UseFilters(MemoryErrorFilter)
export class MemoryEventsResolver {
  constructor(
    @Inject(MemoryService) private readonly memories: MemoryService,
    @Inject(AccessService) private readonly access: AccessService,
    @Inject(MemorySubscriptions) private readonly subscriptions: MemorySubscriptions,
  ) {}

  @Subscription(() => MemoryEventType, {
    name: 'memoryEvents',
    description:
      'What happens in a scope from now on. Events that were missed are not sent again: read again after a reconnection.',
    resolve: ({ at, ...event }: MemoryEventMessage) => ({ ...event, at: new Date(at) }),
  })
  @MemoryField('read')
  memoryEvents(
    @MemoryScopeParam() scope: Scope,
    @MemoryArgs(MemoryEventsArgsType) { actions }: MemoryEventsArguments,
    @Context() context: GraphQLContext | undefined,
  ): Promise<AsyncIterableIterator<MemoryEventMessage>> {
    return this.subscriptions.open(scope, {
      actions: actions ?? [],
      request: identifiableRequest(context),
      socket: connectionOf(context)?.extra.socket ?? null,
    });
  }

  @ResolveField(() => MemoryType, { nullable: true, description: 'As it is now; null where it is gone.' })
  memory(
    @Parent() { memoryId, scope }: Pick<MemoryEventType, 'memoryId' | 'scope'>,
    @Context() context: GraphQLContext | undefined,
  ): Promise<MemoryNode | null> {
    return masked(async () => {
      if (memoryId === null) return null;
      // Guards do not run on fields below the root: what the subscriber may read is asked here, and now.
      const granted = await this.access.granted(identifiableRequest(context), scope, 'read');
      return toNodeOrNull(scope, await this.memories.for(granted).get(memoryId));
    });
  }
}
