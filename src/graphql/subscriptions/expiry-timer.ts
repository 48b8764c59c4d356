/** Longest wait that a timer of Node takes, in milliseconds; what is longer would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Calls `onExpiry` when the moment has come, however far it is. @returns what stops it */
export function atExpiry(expiresAt: Date | undefined, onExpiry: () => void): () => void {
  if (!expiresAt) return () => undefined;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = expiresAt.getTime() - Date.now();
    timer = setTimeout(left > TIMER_MAX_MS ? wait : onExpiry, Math.min(TIMER_MAX_MS, Math.max(0, left))).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
