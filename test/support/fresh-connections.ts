// Set up in every test file. A connection of fetch's pool that the server has closed while this process stood still
// breaks the next request that takes it, so on a busy machine a test would fail for that alone: each request has its own.
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
  headers.set('connection', 'close');
  return fetch(input, { ...init, headers });
};

export {};
