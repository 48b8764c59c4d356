import type * as BullMqFile from '../src/bullmq.js';
import type * as GraphQLFile from '../src/graphql/index.js';
import type * as RecalledMemoryTypeFile from '../src/graphql/types/recalled-memory.type.js';
import type * as IndexFile from '../src/index.js';
import type * as MemoryModuleFile from '../src/memory.module.js';
import type * as MemoryServiceFile from '../src/memory/memory.service.js';
import type * as PostgresStorageFile from '../src/storage/postgres/postgres-storage.js';
import type * as ScriptedCompletionFile from '../src/testing/scripted-completion.js';

function built(path: string): Promise<unknown> {
  return import(new URL(`../dist/${path}`, import.meta.url).href);
}

/**
 * The module and what a bench gives it, as built: the loader that runs the benches names every function anew each time it
 * is made, which took 0.2 ms of a recall of 1.5 ms, and nobody ships that.
 */
export async function builtModule() {
  return {
    ...((await built('memory.module.js')) as typeof MemoryModuleFile),
    ...((await built('memory/memory.service.js')) as typeof MemoryServiceFile),
    ...((await built('storage/postgres/postgres-storage.js')) as typeof PostgresStorageFile),
    ...((await built('testing/scripted-completion.js')) as typeof ScriptedCompletionFile),
  };
}

/** What a host that observes imports, as built: see `builtModule`. */
export async function builtPackage() {
  return {
    ...((await built('index.js')) as typeof IndexFile),
    ...((await built('bullmq.js')) as typeof BullMqFile),
  };
}

/** The fields above the module, as built: resolvers need the parameter types that only the compiler emits. */
export async function builtGraphQL() {
  return {
    ...((await built('graphql/index.js')) as typeof GraphQLFile),
    ...((await built('graphql/types/recalled-memory.type.js')) as typeof RecalledMemoryTypeFile),
  };
}
