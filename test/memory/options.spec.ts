import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Message, ScopedMemory } from 'nestjs-engram';
import { memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const SAID: Message[] = [{ role: 'user', content: 'I sail' }];

/** Every call that takes options, as a host without types calls it. */
const CALLS: Readonly<Record<string, (memory: ScopedMemory, options: never) => unknown>> = {
  add: (memory, options) => memory.add('Likes tea', options),
  recall: (memory, options) => memory.recall('tea', options),
  promptBlock: (memory, options) => memory.promptBlock('tea', options),
  'injectInto a prompt': (memory, options) => memory.injectInto('Be kind.', options),
  'injectInto messages': (memory, options) => memory.injectInto([{ role: 'user', content: 'Hi' }], options),
  observe: (memory, options) => memory.observe(SAID, options),
  observeLater: (memory, options) => memory.observeLater(SAID, options),
  list: (memory, options) => memory.list(options),
  get: (memory, options) => memory.get('none', options),
  update: (memory, options) => memory.update('none', options),
  forget: (memory, options) => memory.forget('none', options),
  forgetStale: (memory, options) => memory.forgetStale(options),
  rebuildEmbeddings: (memory, options) => memory.rebuildEmbeddings(options),
  export: (memory, options) => memory.export(options),
  within: (memory, options) => memory.within(options),
};

describe('options that are no object', () => {
  let app: MemoryApp;
  beforeAll(async () => {
    app = await memoryApp();
  });
  afterAll(() => app.close());

  it.each(Object.keys(CALLS))('are an input error of %s, which stores nothing', async (name) => {
    const memory = app.of(name);
    for (const options of [null, 7, 'text', true, [], [{}], () => ({})]) {
      const call = async (): Promise<unknown> => CALLS[name]?.(memory, options as never);
      await expect(call()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    expect(await memory.stats()).toMatchObject({ total: 0, pendingTurns: 0 });
  });
});
