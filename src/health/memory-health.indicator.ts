import { Inject, Injectable } from '@nestjs/common';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import { MemoryService } from '../memory/memory.service.js';

/** What `@nestjs/terminus` expects of an indicator; written out so that only apps that check health install it. */
export type MemoryHealth<Key extends string> = Record<
  Key,
  { readonly status: 'up' | 'down'; readonly message?: string }
>;

/** Milliseconds after which a database that does not answer counts as down; a probe's own time-out is often 5 s. */
const ANSWER_WITHIN_MS = 2_000;

/** Whether memories can be read and written: `health.check([() => memoryHealth.isHealthy('memory')])`. */
@Injectable()
export class MemoryHealthIndicator {
  constructor(@Inject(MemoryService) private readonly memories: MemoryService) {}

  /** Never throws: what is wrong is in the result, without addresses or texts. */
  async isHealthy<const Key extends string>(key: Key): Promise<MemoryHealth<Key>> {
    try {
      await withDeadline(ANSWER_WITHIN_MS, () => this.memories.check());
      return { [key]: { status: 'up' } } as MemoryHealth<Key>;
    } catch (error) {
      const message = error instanceof DeadlineError ? 'The database does not answer.' : 'The database cannot serve.';
      return { [key]: { status: 'down', message } } as MemoryHealth<Key>;
    }
  }
}
