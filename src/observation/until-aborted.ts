import type { MemoryContext } from '../memory/memory-context.js';

/** The same context, whose calls of providers end when the signal aborts. */
export function untilAborted(context: MemoryContext, signal: AbortSignal): MemoryContext {
  const { completion, embedder } = context;
  const { canSearch } = embedder;
  return {
    ...context,
    completion: {
      name: completion.name,
      tasks: completion.tasks,
      complete: (request) => completion.complete({ ...request, signal: request.signal ?? signal }),
    },
    embedder: {
      space: embedder.space,
      dimensions: embedder.dimensions,
      calibration: embedder.calibration,
      ...(canSearch && { canSearch: (query) => canSearch.call(embedder, query) }),
      embedDocuments: (texts, options = {}) =>
        embedder.embedDocuments(texts, { ...options, signal: options.signal ?? signal }),
      embedQuery: (text, options = {}) => embedder.embedQuery(text, { ...options, signal: options.signal ?? signal }),
    },
  };
}
