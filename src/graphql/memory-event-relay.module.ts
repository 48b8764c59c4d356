import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import type { PubSubBus } from './subscriptions/memory-event-bus.js';
import { MEMORY_EVENT_PUB_SUB, MemoryEventRelay } from './subscriptions/memory-event-relay.js';

export interface MemoryEventRelayOptions {
  /** The bus of the processes that serve subscriptions. The app closes it. */
  readonly pubSub: Pick<PubSubBus, 'publish'>;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<MemoryEventRelayOptions>({
  optionsInjectionToken: Symbol('MEMORY_EVENT_RELAY_OPTIONS'),
})
  .setClassMethodName('forRoot')
  .build();

/**
 * For a process that works turns and serves no GraphQL, beside its `MemoryModule`: what it learns reaches the
 * subscribers of those that do. Where `MemoryGraphQLModule` is, its `pubSub` does the same.
 * @throws InvalidOptionsError at boot, without a bus
 */
@Module({
  providers: [
    {
      provide: MEMORY_EVENT_PUB_SUB,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: Partial<MemoryEventRelayOptions> | undefined): MemoryEventRelayOptions['pubSub'] => {
        if (typeof options?.pubSub?.publish === 'function') return options.pubSub;
        throw new InvalidOptionsError(
          'pubSub',
          'MemoryEventRelayModule needs "pubSub": the bus that MemoryGraphQLModule has in the processes that serve subscriptions.',
        );
      },
    },
    MemoryEventRelay,
  ],
})
export class MemoryEventRelayModule extends ConfigurableModuleClass {}
