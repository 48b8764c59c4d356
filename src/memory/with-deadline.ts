/** Thrown by `withDeadline` when the time is up. */
export class DeadlineError extends Error {}

/**
 * Runs `work` with a signal that aborts after `ms`, and stops waiting then, whether or not `work` heeds the signal.
 * @throws DeadlineError when the time is up
 */
export async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new DeadlineError(`No answer within ${ms} ms.`);
      controller.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
