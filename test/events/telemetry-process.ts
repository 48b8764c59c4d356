// An app that adds and recalls, then tells what it found and whether OpenTelemetry was there. Run by `node --import tsx`.
import { NestFactory } from '@nestjs/core';
import { MemoryModule, MemoryService } from '../../src/index.js';
import { DeterministicEmbedder, inMemoryStorage, ScriptedCompletion } from '../../src/testing/index.js';

const events: string[] = [];
const app = await NestFactory.createApplicationContext(
  MemoryModule.forRoot({
    storage: inMemoryStorage(),
    embedder: new DeterministicEmbedder(),
    completion: new ScriptedCompletion(),
    events: { publish: (name) => void events.push(name) },
  }),
  { logger: ['error', 'warn'] },
);
const memory = app.get(MemoryService).for({ tenantId: 'acme', scope: 'user:1' });
await memory.add('Keeps bees');
const found = (await memory.recall('bees')).length;
const api = await import('@opentelemetry/api').then(
  () => true,
  () => false,
);
await app.close();
process.stdout.write(`${JSON.stringify({ found, events, api })}\n`);
