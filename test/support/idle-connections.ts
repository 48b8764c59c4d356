import { Server } from 'node:http';

// Set up in every test file. A connection of fetch's pool that the server has closed while this process stood still
// breaks the next request that takes it, so on a busy machine a test would fail for that alone: the servers of tests leave
// idle connections to their clients. (A request with `connection: close` is no way out: fetch takes an answer that breaks
// off on such a connection for a whole one.)
const patched = Symbol.for('nestjs-engram.test.idle-connections');
const { prototype } = Server as unknown as { prototype: Server & { [patched]?: true } };
if (!prototype[patched]) {
  const { listen } = prototype;
  prototype[patched] = true;
  prototype.listen = function (this: Server, ...given: unknown[]) {
    this.keepAliveTimeout = 0;
    return Reflect.apply(listen, this, given) as Server;
  };
}
