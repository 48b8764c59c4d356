// A host on the package as it is built, run by `startBuiltHost`: what holds in it does not depend on how tests load code.
import 'reflect-metadata';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Controller, Get, Module } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SkipThrottle, ThrottlerModule } from '@nestjs/throttler';
import { MemoryModule } from 'nestjs-engram';
import { MemoryGraphQLModule, engramGraphQLDefaults } from 'nestjs-engram/graphql';
import type { Identify } from 'nestjs-engram/graphql';
import { DeterministicEmbedder, ScriptedCompletion, inMemoryStorage } from 'nestjs-engram/testing';
import { MemoryThrottlerGuard } from 'nestjs-engram/throttler';
import type { BuiltHostSetting } from './built-host.js';

const {
  platform,
  fieldsAMinute = 10_000,
  graphiql,
} = JSON.parse(process.env['BUILT_HOST'] ?? '{}') as BuiltHostSetting;

const identify: Identify = ({ headers, connectionParams }) => {
  const [tenantId, subject] = String(connectionParams?.['caller'] ?? headers['x-caller'] ?? '').split('/');
  return tenantId && subject ? { tenantId, subject } : null;
};

@Controller()
class HostController {
  @Get('hello')
  hello(): string {
    return 'hello';
  }

  @Get('free')
  @SkipThrottle()
  free(): string {
    return 'free';
  }
}

@Module({
  imports: [
    MemoryModule.forRoot({
      storage: inMemoryStorage(),
      embedder: new DeterministicEmbedder(),
      completion: new ScriptedCompletion(),
    }),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      ...engramGraphQLDefaults({ identify, allowedOrigins: ['https://app.example'] }),
      ...(graphiql !== undefined && { graphiql }),
    }),
    MemoryGraphQLModule.forRoot({ identify }),
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: fieldsAMinute }]),
  ],
  controllers: [HostController],
  providers: [{ provide: APP_GUARD, useClass: MemoryThrottlerGuard }],
})
class HostModule {}

// A proxy in front: whom it names is who calls.
const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter({ trustProxy: true });
if (adapter instanceof ExpressAdapter) adapter.set('trust proxy', 1);
const app = await NestFactory.create<INestApplication>(HostModule, adapter, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());
