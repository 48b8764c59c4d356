import { EngramError } from '../errors/engram-error.js';

/** Past it a stop is no longer waited for: supervisors kill after 10 s, and a killed database recovers. */
const STOP_WITHIN_MS = 9_000;

/** Heard from the first moment on, so that a signal during start-up stops the app as cleanly as a later one. */
function stopRequested(): Promise<'stop'> {
  return new Promise((resolve) => {
    let heard = false;
    const stop = (): void => {
      if (heard) process.exit(130);
      heard = true;
      resolve('stop');
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

/** One line for what the operator can mend; a stack only for what is a fault of ours. */
function report(error: unknown): void {
  console.error(error instanceof EngramError ? `nestjs-engram: ${error.message}` : error);
}

/**
 * Starts an app, runs it until SIGINT or SIGTERM, closes it, and ends the process; with 1 where something went wrong.
 * @param ready called once it is up; says so on stdout
 */
export async function runProcess<App extends { close(): Promise<void> }>(
  start: () => Promise<App>,
  ready: (app: App) => void,
): Promise<never> {
  const stop = stopRequested();
  // A worker waits on timers that hold no process up, and its database lets idle connections go.
  setInterval(() => undefined, 3_600_000);
  try {
    const starting = start();
    const first = await Promise.race([starting, stop]);
    if (first !== 'stop') {
      ready(first);
      await stop;
    }
    setTimeout(() => {
      console.error(`nestjs-engram: what ran did not end within ${STOP_WITHIN_MS / 1_000} s and was cut off.`);
      process.exit(1);
    }, STOP_WITHIN_MS).unref();
    const app = await starting.catch(() => null);
    await app?.close();
    process.exit(0);
  } catch (error) {
    report(error);
    process.exit(1);
  }
}
