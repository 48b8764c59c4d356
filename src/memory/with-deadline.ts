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
  return new Promise<T>((resolve, reject) => {
    const end = (reason: unknown): void => {
      controller.abort(reason);
      settle();
      reject(reason as Error);
    };
    const follow = (): void => end(caller?.reason);
    const timer = setTimeout(() => end(new DeadlineError(`No answer within ${ms} ms.`)), ms);
    caller?.addEventListener('abort', follow, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    };
    // `async`: what it throws at once is a rejection too.
    (async () => work(controller.signal))().then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error as Error);
      },
    );
  });
}
