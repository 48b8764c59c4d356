export { bullMqPostgres } from './queue/bullmq/bull-mq-postgres.js';
export type { BullMqPostgresOptions } from './queue/bullmq/bull-mq-postgres.js';
export { bullMqRedis } from './queue/bullmq/bull-mq-redis.js';
export type { BullMqRedisOptions } from './queue/bullmq/bull-mq-redis.js';
export { ENGRAM_QUEUE_NAME } from './queue/bullmq/wake-up.js';
export type { WakeUp } from './queue/bullmq/wake-up.js';
export type { BullMqWorkerOptions } from './queue/bullmq/worker-options.js';
