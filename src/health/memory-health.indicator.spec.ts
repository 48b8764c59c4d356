import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '../errors/unavailable-error.js';
import type { MemoryService } from '../memory/memory.service.js';
import { MemoryHealthIndicator } from './memory-health.indicator.js';

const indicator = (check: () => Promise<void>): MemoryHealthIndicator =>
  new MemoryHealthIndicator({ check } as Pick<MemoryService, 'check'> as MemoryService);

describe('MemoryHealthIndicator', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is up while the store answers, under the key that the host chose', async () => {
    expect(await indicator(() => Promise.resolve()).isHealthy('engram')).toEqual({ engram: { status: 'up' } });
  });

  it('is down when the store cannot serve, without the words of its error', async () => {
    const health = await indicator(() => Promise.reject(new UnavailableError('db.internal:5432 refused'))).isHealthy(
      'memory',
    );
    expect(health.memory.status).toBe('down');
    expect(JSON.stringify(health)).not.toContain('db.internal');
  });

  it('is down when the store does not answer', async () => {
    jest.useFakeTimers();
    const health = indicator(() => new Promise(() => undefined)).isHealthy('memory');
    await jest.advanceTimersByTimeAsync(2_000);
    expect((await health).memory.status).toBe('down');
  });
});
