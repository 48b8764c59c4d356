import { NestFactory } from '@nestjs/core';
import { EngramError } from '../../errors/engram-error.js';
import { MemoryModule } from '../../memory.module.js';
import { MemoryService } from '../../memory/memory.service.js';
import { chooseAdapters } from '../adapters.js';
import { readConfig } from '../config.js';
import { StderrLogger } from '../stderr-logger.js';
import { ShownCompletion } from './shown-completion.js';
import { STORY, dateOf } from './story.js';
import { showExtracted, tellDay } from './tell-day.js';

/** One day of the demo in a process of its own: `node day.js <day> <scope> <today>`. */
async function live([day, scope, today]: readonly string[]): Promise<void> {
  const storyDay = STORY.find((one) => one.day === Number(day));
  if (!storyDay || scope === undefined || today === undefined) throw new Error('Usage: day.js <day> <scope> <today>');
  const { completion, ...adapters } = await chooseAdapters(readConfig(process.env));
  const app = await NestFactory.createApplicationContext(
    MemoryModule.forRoot({
      ...adapters,
      completion: new ShownCompletion(completion, showExtracted),
      // Nobody waits for a chat here: on a busy machine too, the story shows what recall by meaning finds.
      recall: { embedTimeoutMs: 20_000 },
    }),
    { logger: false, abortOnError: false },
  );
  app.useLogger(new StderrLogger());
  try {
    const memory = app.get(MemoryService).for({ tenantId: 'demo', scope });
    await tellDay(memory, storyDay, dateOf(storyDay.day, new Date(today)));
  } finally {
    await app.close();
  }
}

try {
  await live(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof EngramError ? `nestjs-engram: ${error.message}` : error);
  process.exitCode = 1;
}
