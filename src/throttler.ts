export { MemoryThrottlerGuard, TOO_MANY_REQUESTS } from './throttler/memory-throttler.guard.js';
