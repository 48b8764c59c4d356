// The app of each host: as its author would write it from the README, compiled by the host's own TypeScript.
import 'reflect-metadata';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Args, GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  MemoryModule,
  MemoryService,
  engramMigrations,
  hostDataSource,
  type MemoryEventMap,
  type Scope,
} from 'nestjs-engram';
import {
  MemoryGraphQLModule,
  MemoryScopeParam,
  RequireMemoryAccess,
  engramGraphQLDefaults,
  type Identify,
} from 'nestjs-engram/graphql';
import { DeterministicEmbedder, ScriptedCompletion } from 'nestjs-engram/testing';

const identify: Identify = ({ headers, connectionParams }) => {
  const subject = String(connectionParams?.['user'] ?? headers['x-user'] ?? '');
  return subject === '' ? null : { tenantId: 'acme', subject };
};

@Resolver()
class HostResolver implements OnModuleInit {
  private heard = 0;

  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  onModuleInit(): void {
    if (this.memories.adapters().store === '') throw new Error('The module starts before the app that uses it.');
  }

  @OnEvent('memory.added')
  remembered(_event: MemoryEventMap['memory.added']): void {
    this.heard += 1;
  }

  @Query(() => Number)
  eventsHeard(): number {
    return this.heard;
  }

  @Query(() => [String])
  @RequireMemoryAccess('read')
  async contents(
    @MemoryScopeParam() scope: Scope,
    @Args('scope', { type: () => String, nullable: true }) _scope: string | null,
  ): Promise<string[]> {
    return (await this.memories.for(scope).list()).memories.map(({ content }) => content);
  }
}

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      schema: 'public',
      migrations: engramMigrations(),
      migrationsRun: true,
    }),
    MemoryModule.forRoot({
      storage: hostDataSource(),
      embedder: new DeterministicEmbedder(),
      completion: new ScriptedCompletion(),
    }),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      ...engramGraphQLDefaults({ identify }),
    }),
    MemoryGraphQLModule.forRoot({ identify }),
  ],
  providers: [HostResolver],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  console.log(await app.getUrl());
}

void main();
