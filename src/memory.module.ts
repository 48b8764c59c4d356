import { Module } from '@nestjs/common';
import { MemoryLifecycle } from './memory.lifecycle.js';
import { ConfigurableModuleClass } from './memory.module-definition.js';
import { valueProviders } from './memory.providers.js';
import { MEMORY_STORE } from './memory.tokens.js';
import { MemoryService } from './memory/memory.service.js';

/**
 * Long-term memory for an app. `MemoryModule.forRoot(options)`, or `forRootAsync` with structure (`storage`, `queue`,
 * `isGlobal`) beside `useFactory` and values returned from it.
 */
@Module({ providers: [...valueProviders, MemoryLifecycle], exports: [MemoryService, MEMORY_STORE] })
export class MemoryModule extends ConfigurableModuleClass {}
