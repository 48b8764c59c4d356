import type * as MemoryServiceFile from '../src/memory/memory.service.js';
import type * as AdaptersFile from '../src/server/adapters.js';
import type * as AppModuleFile from '../src/server/app.module.js';
import type * as ConfigFile from '../src/server/config.js';
import type * as LoopbackIdentityFile from '../src/server/loopback-identity.js';

function built(path: string): Promise<unknown> {
  return import(new URL(`../dist/${path}`, import.meta.url).href);
}

/**
 * The reference app as `npm run build` left it: resolvers need the parameter types that only the compiler emits, and a
 * figure should be that of what is shipped.
 */
export async function builtApp() {
  return {
    ...((await built('server/app.module.js')) as typeof AppModuleFile),
    ...((await built('server/adapters.js')) as typeof AdaptersFile),
    ...((await built('server/config.js')) as typeof ConfigFile),
    ...((await built('server/loopback-identity.js')) as typeof LoopbackIdentityFile),
    ...((await built('memory/memory.service.js')) as typeof MemoryServiceFile),
  };
}
