import type { MemoryContext } from '../memory/memory-context.js';
import type { Scope } from '../model/scope.js';
import type { ClaimedTurn } from '../storage/memory-store.js';
import { runTurn } from './run-turn.js';
import { untilAborted } from './until-aborted.js';

/** The turns that this process is at work on, whether the worker or an `observe()` claimed them. */
export class RunningTurns {
  private readonly running = new Set<Promise<void>>();
  private readonly cutOff = new AbortController();
  private noMore = false;

  /** The process is stopping: nothing may be claimed any more. */
  get closed(): boolean {
    return this.noMore;
  }

  close(): void {
    this.noMore = true;
  }

  /** Applies a claimed turn. Cut off, it gives the claim back and leaves the turn to whoever is woken next. */
  async run(context: MemoryContext, scope: Scope, turn: ClaimedTurn): Promise<void> {
    const run = this.untilCutOff(context, scope, turn);
    this.running.add(run);
    try {
      await run;
    } finally {
      this.running.delete(run);
    }
  }

  /** Ends the wait for models: what runs gives its claim back. */
  abort(): void {
    this.cutOff.abort();
  }

  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  private async untilCutOff(context: MemoryContext, scope: Scope, turn: ClaimedTurn): Promise<void> {
    const { signal } = this.cutOff;
    let cutOff = (): void => undefined;
    const aborted = new Promise<void>((resolve) => (cutOff = resolve));
    signal.addEventListener('abort', cutOff, { once: true });
    if (signal.aborted) cutOff();
    try {
      // Whether or not it ends with its calls. What comes of it later meets a claim that is gone, and changes nothing.
      const work = runTurn(untilAborted(context, signal), scope, turn, { signal });
      work.catch(() => undefined);
      await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener('abort', cutOff);
    }
    if (!signal.aborted) return;
    if (await context.store.turns.release(scope, turn.claim))
      await context.queue.enqueue({ ...scope, turnId: turn.turnId });
  }
}
