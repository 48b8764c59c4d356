import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { MemoryStructure, MemoryValues } from './memory.options.js';
import { MEMORY_OPTIONS } from './memory.tokens.js';
import { structureProviders } from './memory.providers.js';

/** `forRoot` and `forRootAsync`. Structure stands beside `useFactory`: returned from a factory it would come too late to add providers. */
export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<MemoryValues>({
    optionsInjectionToken: MEMORY_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setExtras<MemoryStructure>(
      { storage: undefined, queue: undefined, worker: true, isGlobal: true },
      (definition, structure) => {
        const imports = structure.queue?.imports ?? [];
        return {
          ...definition,
          global: structure.isGlobal ?? true,
          imports: [...(definition.imports ?? []), ...imports],
          providers: [...(definition.providers ?? []), ...structureProviders(structure)],
          exports: [...(definition.exports ?? []), ...imports],
        };
      },
    )
    .build();
