import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { MemoryModule } from '../memory.module.js';
import type { Adapters } from './adapters.js';

/** The reference app without its doors: it works turns, and nothing else. */
@Module({})
export class WorkerModule {
  static with(adapters: Adapters): DynamicModule {
    return { module: WorkerModule, imports: [MemoryModule.forRoot(adapters)] };
  }
}
