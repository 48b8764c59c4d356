import { StreamedAnswer } from './answer.js';
import type { Answer } from './answer.js';

/** The client's `Stream`. All its ways of reading (`for await`, `tee()`, `toReadableStream()`) ask `iterator` once. */
interface ClientStream {
  iterator?: unknown;
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

export function isStream(value: unknown): value is ClientStream {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/**
 * Listens to a stream while its reader reads: each chunk is passed on as it comes, unchanged. `ended` is called once,
 * when the stream ends or its reader stops (a `break`, an abort), with what was answered until then; not when it breaks.
 * The stream stays the same object, so that its class and private state stay the client's.
 */
export function watchStream(stream: ClientStream, ended: (answer: Answer | null) => void): void {
  const { iterator } = stream;
  if (typeof iterator === 'function') {
    stream.iterator = () => listen(Reflect.apply(iterator, stream, []) as AsyncIterator<unknown>, ended);
  } else {
    const iterate = stream[Symbol.asyncIterator].bind(stream);
    Object.defineProperty(stream, Symbol.asyncIterator, { value: () => listen(iterate(), ended), configurable: true });
  }
}

function listen(
  chunks: AsyncIterator<unknown>,
  ended: (answer: Answer | null) => void,
): AsyncIterableIterator<unknown> {
  const answer = new StreamedAnswer();
  let isOver = false;
  const end = (): void => {
    if (!isOver) ended(answer.soFar);
    isOver = true;
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        const result = await chunks.next();
        if (result.done) end();
        else answer.add(result.value);
        return result;
      } catch (error) {
        isOver = true;
        throw error;
      }
    },
    async return(value?: unknown) {
      end();
      return (await chunks.return?.(value)) ?? { done: true, value };
    },
  };
}
