/** An operation for each query and mutation of ours; each takes a scope (`scope: "user:1"`), some an id, a few that of a turn. */
export const FIELDS: Readonly<Record<string, (id: string, scope: string, turn?: string) => string>> = {
  memoryHistory: (id, scope) => `{ memoryHistory(id: "${id}", ${scope}) { content } }`,
  restoreMemory: (id, scope) => `mutation { restoreMemory(id: "${id}", version: 1, ${scope}) { id } }`,
  forgetStaleMemories: (_id, scope) => `mutation { forgetStaleMemories(olderThanDays: 0, ${scope}) }`,
  retryObservation: (_id, scope, turn = 'turn') =>
    `mutation { retryObservation(turnId: "${turn}", ${scope}) { status } }`,
  memories: (_, scope) => `{ memories(${scope}) { totalCount } }`,
  memory: (id, scope) => `{ memory(id: "${id}", ${scope}) { id history { content } } }`,
  recall: (_, scope) => `{ recall(query: "treasure", ${scope}) { score } }`,
  memoryPrompt: (_, scope) => `{ memoryPrompt(query: "treasure", ${scope}) }`,
  observation: (_, scope, turn = 'turn') => `{ observation(turnId: "${turn}", ${scope}) { status } }`,
  memorySettings: (_, scope) => `{ memorySettings(${scope}) { enabled } }`,
  memoryStats: (_, scope) => `{ memoryStats(${scope}) { total } }`,
  setMemoryEnabled: (_, scope) => `mutation { setMemoryEnabled(enabled: false, ${scope}) { enabled } }`,
  forgetAllMemories: (_, scope) => `mutation { forgetAllMemories(${scope}) { memories } }`,
  addMemory: (_, scope) => `mutation { addMemory(input: { content: "Was here", ${scope} }) { memory { id } } }`,
  updateMemory: (id, scope) =>
    `mutation { updateMemory(input: { id: "${id}", importance: 1, ${scope} }) { memory { id } } }`,
  forgetMemory: (id, scope) => `mutation { forgetMemory(id: "${id}", ${scope}) }`,
  observe: (_, scope) =>
    `mutation { observe(input: { messages: [{ role: USER, content: "x" }], ${scope} }) { status } }`,
  observeLater: (_, scope) =>
    `mutation { observeLater(input: { messages: [{ role: USER, content: "x" }], ${scope} }) { status } }`,
};
