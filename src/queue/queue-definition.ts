import type { DynamicModule, Provider } from '@nestjs/common';
import type { PortDefinition } from '../port-definition.js';
import type { ObservationQueue } from './observation-queue.js';

/** What `inProcessQueue()`, `bullMqRedis()` and `bullMqPostgres()` return. */
export interface QueueDefinition extends PortDefinition<ObservationQueue> {
  /** Modules that the adapter brings along; they are exported again, so that a host can inject what they provide. */
  readonly imports?: readonly DynamicModule[];
  /** Providers of a process that works turns; one that only hands them in (`worker: false`) goes without. */
  readonly workerProviders?: readonly Provider[];
}
