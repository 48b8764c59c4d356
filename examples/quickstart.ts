import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import { embeddedPostgres } from 'nestjs-engram/embedded';
import { LocalCompletion, LocalEmbedder } from 'nestjs-engram/local';

const storage = embeddedPostgres({ dataDir: '.engram' });

@Module({
  imports: [MemoryModule.forRoot({ storage, embedder: new LocalEmbedder(), completion: new LocalCompletion() })],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule);
const memory = app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:42' });

await memory.observe([{ role: 'user', content: "I'm vegetarian and I deploy on Fly.io." }]);
console.log(await memory.injectInto('You are a helpful assistant.', { query: 'What should I cook tonight?' }));

await app.close();
