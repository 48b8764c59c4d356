/** Thrown by `withDeadline` when the time is up. */
export class DeadlineError extends Error {}

/**
 * Runs `work` with a signal that aborts after `ms`, or with the caller's, and stops waiting then, whether or not `work`
 * heeds the signal.
 * @throws DeadlineError when the time is up; the reason of the caller's signal when that aborts
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  caller?: AbortSignal,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  let end = (_reason: unknown): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = (reason) => {
      controller.abort(reason);
      reject(reason as Error);
    };
  });
  const timer = setTimeout(() => end(new DeadlineError(`No answer within ${ms} ms.`)), ms);
  const follow = (): void => end(caller?.reason);
  caller?.addEventListener('abort', follow, { once: true });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', follow);
  }
}
