import type { Logger } from '@nestjs/common';
import { className } from '../errors/class-name.js';
import type { MemoryEventName } from './event-map.js';

/** Calls one listener, and does not wait for it. What it throws, now or later, is logged by its class and harms nobody. */
export function callListener(logger: Logger, name: MemoryEventName, listener: () => unknown): void {
  const failed = (error: unknown): void => logger.error(`A listener of ${name} failed with ${className(error)}.`);
  try {
    const result = listener();
    if (typeof result === 'object' && result !== null && 'then' in result) Promise.resolve(result).catch(failed);
  } catch (error) {
    failed(error);
  }
}
