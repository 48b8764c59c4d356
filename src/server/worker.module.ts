import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { MemoryEventRelayModule } from '../graphql/memory-event-relay.module.js';
import type { PubSubBus } from '../graphql/subscriptions/memory-event-bus.js';
import { MemoryModule } from '../memory.module.js';
import type { Adapters } from './adapters.js';

/** The reference app without its doors: it works turns, and tells the others what came of them. */
@Module({})
export class WorkerModule {
  static with(adapters: Adapters, pubSub?: PubSubBus): DynamicModule {
    return {
      module: WorkerModule,
      imports: [MemoryModule.forRoot(adapters), ...(pubSub ? [MemoryEventRelayModule.forRoot({ pubSub })] : [])],
    };
  }
}
