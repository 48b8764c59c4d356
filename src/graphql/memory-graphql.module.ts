import { ConfigurableModuleBuilder, Global, Inject, Logger, Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { PubSub } from 'graphql-subscriptions';
import { MEMORY_WORKER } from '../memory.tokens.js';
import { MemoryService } from '../memory/memory.service.js';
import { AccessService } from '../access/access.service.js';
import { MemoryAccessGuard } from '../access/memory-access.guard.js';
import { OwnScopePolicy } from '../access/own-scope-policy.js';
import { isEngramRule } from './engram-graphql-defaults.js';
import { hostOptions, servesWebSockets, webSocketPath } from './host-options.js';
import { resolveLimits } from './limits.js';
import { MEMORY_GRAPHQL_OPTIONS, assertGraphQLOptions } from './memory-graphql.options.js';
import type { MemoryGraphQLOptions } from './memory-graphql.options.js';
import { MemoryFieldsResolver } from './memory-fields.resolver.js';
import { MemoryHistoryResolver } from './memory-history.resolver.js';
import { MemoryLoaders } from './memory-loaders.js';
import { MemoryScopeResolver } from './memory-scope.resolver.js';
import { MemoryResolver } from './memory.resolver.js';
import { ObservationResolver } from './observation.resolver.js';
import { RequestCosts } from './request-costs.js';
import { MemoryEventsResolver } from './subscriptions/memory-events.resolver.js';
import { boundMessages } from './subscriptions/message-bound.js';
import type { UpgradingServer } from './subscriptions/message-bound.js';
import type { PubSubBus } from './subscriptions/memory-event-bus.js';
import { MEMORY_EVENT_PUB_SUB, MemoryEventRelay } from './subscriptions/memory-event-relay.js';
import { MemorySubscriptions } from './subscriptions/memory-subscriptions.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<MemoryGraphQLOptions>({
  optionsInjectionToken: MEMORY_GRAPHQL_OPTIONS,
})
  .setClassMethodName('forRoot')
  .build();

/**
 * Adds the memory fields to the schema of the app's own `GraphQLModule`. Needs `MemoryModule` beside it.
 * Global, so that the app's own resolvers can use `@RequireMemoryAccess`.
 */
@Global()
@Module({
  providers: [
    {
      provide: AccessService,
      inject: [MEMORY_GRAPHQL_OPTIONS],
      useFactory: (options: MemoryGraphQLOptions | undefined): AccessService => {
        assertGraphQLOptions(options);
        return new AccessService(
          (request) => options.identify(request),
          options.policy ?? new OwnScopePolicy(),
          resolveLimits(options.limits).rootFields,
        );
      },
    },
    MemoryAccessGuard,
    RequestCosts,
    MemoryLoaders,
    MemoryResolver,
    MemoryFieldsResolver,
    MemoryScopeResolver,
    MemoryHistoryResolver,
    ObservationResolver,
    {
      provide: MEMORY_EVENT_PUB_SUB,
      inject: [MEMORY_GRAPHQL_OPTIONS],
      useFactory: (options: MemoryGraphQLOptions | undefined): PubSubBus => options?.pubSub ?? new PubSub(),
    },
    MemoryEventRelay,
    MemorySubscriptions,
    MemoryEventsResolver,
  ],
  exports: [AccessService, MemoryAccessGuard],
})
export class MemoryGraphQLModule extends ConfigurableModuleClass implements OnApplicationBootstrap {
  constructor(
    @Inject(MEMORY_GRAPHQL_OPTIONS) private readonly options: MemoryGraphQLOptions,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    const hosts = hostOptions(this.moduleRef);
    if (hosts[0] && !hosts[0].validationRules?.some(isEngramRule)) {
      new Logger(MemoryGraphQLModule.name).warn(
        'The GraphQLModule runs without bounds on depth and size. Spread engramGraphQLDefaults() into its options.',
      );
    }
    if (hosts.some(servesWebSockets)) this.warnOfOtherProcesses();
    const server = this.http.httpAdapter?.getHttpServer() as UpgradingServer | undefined;
    const paths = hosts.filter(servesWebSockets).map((host) => webSocketPath(host, this.config));
    if (server && paths.length > 0) {
      boundMessages(server, paths, resolveLimits(this.options.limits).messageBytes);
    }
  }

  /** Turns that others learn from reach the subscribers here over a bus only, and nothing else would ever say so. */
  private warnOfOtherProcesses(): void {
    if (this.options.pubSub) return;
    const { queue } = this.moduleRef.get(MemoryService, { strict: false }).adapters();
    const worksTurns = this.moduleRef.get(MEMORY_WORKER, { strict: false });
    if (worksTurns && queue === 'in-process') return;
    const others = worksTurns ? `over the queue ${queue} others may learn from turns` : 'others learn from turns';
    new Logger(MemoryGraphQLModule.name).warn(
      `Subscribers hear of what this process does alone, and ${others}. Give MemoryGraphQLModule, and MemoryEventRelayModule in every other process, a "pubSub" that they share (for the app of this package: REDIS_URL, without ENGRAM_QUEUE).`,
    );
  }
}
