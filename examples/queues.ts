import { BullModule, getQueueToken, Processor, WorkerHost } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Job, Queue } from 'bullmq';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import { bullMqRedis } from 'nestjs-engram/bullmq';
import { embeddedPostgres } from 'nestjs-engram/embedded';
import { LocalCompletion, LocalEmbedder } from 'nestjs-engram/local';

// The app's own queue and its processor, as they were.
@Processor('mails')
class MailProcessor extends WorkerHost {
  process({ data }: Job<{ to: string }>): Promise<void> {
    console.log(`mail to ${data.to}`);
    return Promise.resolve();
  }
}

@Module({
  imports: [
    BullModule.forRoot({ connection: { url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379' }, prefix: 'shop' }),
    BullModule.registerQueue({ name: 'mails' }),
    // Turns go over the same Redis, under the same prefix, in the queue `engram-observations`.
    MemoryModule.forRoot({
      storage: embeddedPostgres({ dataDir: '.engram' }),
      queue: bullMqRedis({ concurrency: 2 }),
      embedder: new LocalEmbedder(),
      completion: new LocalCompletion(),
    }),
  ],
  providers: [MailProcessor],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
await app.get<Queue>(getQueueToken('mails')).add('welcome', { to: 'ada@example.org' });

const memory = app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:42' });
// Durable as soon as it resolves; the chat goes on, a worker learns.
const { turnId } = await memory.observeLater([{ role: 'user', content: "I'm vegetarian." }]);
while ((await memory.observation(turnId))?.status !== 'applied') await new Promise((later) => setTimeout(later, 20));
console.log(await memory.promptBlock('What should I cook tonight?'));

await app.close();
