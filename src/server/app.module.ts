import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { TerminusModule } from '@nestjs/terminus';
import type { Identify } from '../access/identity.js';
import { engramGraphQLDefaults } from '../graphql/engram-graphql-defaults.js';
import { MemoryGraphQLModule } from '../graphql/memory-graphql.module.js';
import type { PubSubBus } from '../graphql/subscriptions/memory-event-bus.js';
import { MemoryHealthIndicator } from '../health/memory-health.indicator.js';
import { MemoryModule } from '../memory.module.js';
import type { Adapters } from './adapters.js';
import { HealthController } from './health.controller.js';
import { MemoriesPageController } from './memories-page.controller.js';

/** The reference app: memories over GraphQL at `/graphql`, the memory page at `/memories`, and `GET /health`. */
@Module({})
export class AppModule {
  static with(adapters: Adapters, identify: Identify, pubSub?: PubSubBus): DynamicModule {
    return {
      module: AppModule,
      imports: [
        MemoryModule.forRoot(adapters),
        MemoryGraphQLModule.forRoot({ identify, ...(pubSub && { pubSub }) }),
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          path: '/graphql',
          autoSchemaFile: true,
          ...engramGraphQLDefaults({ identify }),
        }),
        TerminusModule.forRoot({ logger: false }),
      ],
      controllers: [HealthController, MemoriesPageController],
      providers: [MemoryHealthIndicator],
    };
  }
}
