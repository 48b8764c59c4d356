import { createInterface } from 'node:readline';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MemoryModule, MemoryService } from 'nestjs-engram';
import { embeddedPostgres } from 'nestjs-engram/embedded';
import { LocalCompletion, LocalEmbedder } from 'nestjs-engram/local';
import { withMemory } from 'nestjs-engram/openai';
import { OpenAI } from 'openai';

const storage = embeddedPostgres({ dataDir: '.engram' });

@Module({
  imports: [MemoryModule.forRoot({ storage, embedder: new LocalEmbedder(), completion: new LocalCompletion() })],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
const memory = app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:42' });
// By OPENAI_API_KEY, and OPENAI_BASE_URL where it is another service.
const openai = withMemory(new OpenAI(), memory);

// The chat is the app's own, and so is its list: memories go along with a request and are never in it.
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'You are a helpful assistant.' }];
for await (const line of createInterface({ input: process.stdin })) {
  messages.push({ role: 'user', content: line });
  const stream = await openai.chat.completions.create({ model: 'gpt-4o-mini', messages, stream: true });
  let answer = '';
  for await (const chunk of stream) {
    const words = chunk.choices[0]?.delta.content ?? '';
    process.stdout.write(words);
    answer += words;
  }
  process.stdout.write('\n');
  messages.push({ role: 'assistant', content: answer });
}

await app.close();
