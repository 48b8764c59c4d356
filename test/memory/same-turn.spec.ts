import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Message, Observation, ScopedMemory } from 'nestjs-engram';
import { extracted, memoryApp } from './memory-app.js';
import type { MemoryApp } from './memory-app.js';

const BERLIN: Message[] = [{ role: 'user', content: 'I live in Berlin now' }];

describe('a turn without an id of its own', () => {
  let app: MemoryApp;
  let memory: ScopedMemory;
  let now: Date;
  beforeEach(async () => {
    app = await memoryApp({ clock: { now: () => now } });
    memory = app.of('1');
    app.completion.answer(...Array.from({ length: 4 }, () => extracted()));
  });
  afterEach(() => app.close());

  const observedAt = (time: string, of = memory): Promise<Observation> => {
    now = new Date(`2026-03-05T${time}Z`);
    return of.observe(BERLIN);
  };

  it('is the same one within ten minutes, also over the end of them', async () => {
    const first = await observedAt('18:09:58');
    for (const time of ['18:09:59', '18:10:01', '18:19:58'])
      expect(await observedAt(time)).toEqual({ ...first, duplicate: true });
  });

  it('is another one when it is said again later', async () => {
    const first = await observedAt('18:00:00');
    const again = await observedAt('18:20:00');
    expect([again.duplicate, again.turnId === first.turnId]).toEqual([false, false]);
    expect(app.completion.requests).toHaveLength(2);
  });

  it('is another one in another scope, and of another tenant', async () => {
    const turns = await Promise.all(
      [memory, app.of('2'), app.of('1', 'other')].map((of) => observedAt('18:00:00', of)),
    );
    expect(new Set(turns.map(({ turnId }) => turnId)).size).toBe(3);
  });

  it('is another one where the same words come from another role', async () => {
    const first = await observedAt('18:00:00');
    const answered = await memory.observe([...BERLIN, { role: 'assistant', content: 'Nice.' }]);
    const said = await memory.observe([...BERLIN, { role: 'user', content: 'Nice.' }]);
    expect(new Set([first, answered, said].map(({ turnId }) => turnId)).size).toBe(3);
  });
});
