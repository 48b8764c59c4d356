import { Inject, UseFilters } from '@nestjs/common';
import { Context, Parent, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { connectionOf, identifiableRequest } from '../../access/identifiable-request.js';
import type { GraphQLContext } from '../../access/identifiable-request.js';
import { MemoryScopeParam } from '../../access/require-memory-access.js';
import { InvalidInputError } from '../../errors/invalid-input-error.js';
import type { Scope } from '../../model/scope.js';
import { MemoryEventsArgsType } from '../inputs/memory-events.args.js';
import type { MemoryEventsArguments } from '../inputs/memory-events.args.js';
import { MemoryArgs } from '../inputs/memory-args.js';
import { MemoryErrorFilter } from '../memory-error.filter.js';
import { MemoryField } from '../memory-field.js';
import { MemoryEventType } from '../types/memory-event.type.js';
import { MemoryLoaders } from '../memory-loaders.js';
import { masked, toGraphQLError } from '../to-graphql-error.js';
import type { MemoryNode } from '../types/memory-node.js';
import { MemoryType } from '../types/memory.type.js';
import type { MemoryEventMessage } from './memory-event-message.js';
import { MemorySubscriptions } from './memory-subscriptions.js';

/** Sent by HTTP a subscription is executed as a query would be: there is no message then. @throws GraphQLError */
function toMemoryEvent(message: MemoryEventMessage | undefined): MemoryEventType {
  if (!message) {
    throw toGraphQLError(
      new InvalidInputError(
        'memoryEvents',
        'Subscriptions run over the web socket. Send queries and mutations by HTTP.',
      ),
    );
  }
  return { ...message, at: new Date(message.at) };
}

@Resolver(() => MemoryEventType)
@UseFilters(MemoryErrorFilter)
export class MemoryEventsResolver {
  constructor(
    @Inject(MemoryLoaders) private readonly loaders: MemoryLoaders,
    @Inject(MemorySubscriptions) private readonly subscriptions: MemorySubscriptions,
  ) {}

  @Subscription(() => MemoryEventType, {
    name: 'memoryEvents',
    description:
      'What happens in a scope from now on. Events that were missed are not sent again: read again after a reconnection.',
    resolve: toMemoryEvent,
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
    if (memoryId === null) return Promise.resolve(null);
    return masked(async () => this.loaders.memory(identifiableRequest(context), { scope, id: memoryId }));
  }
}
