import type { InjectionToken } from '@nestjs/common';
import type { Completion } from './completion/completion.js';
import type { Embedder } from './embedding/embedder.js';
import type { EventFanOut } from './events/event-fan-out.js';
import type { Telemetry } from './events/telemetry/telemetry.js';
import type { MemoryContext } from './memory/memory-context.js';
import type { ObservationQueue } from './queue/observation-queue.js';
import type { MemoryStore } from './storage/memory-store.js';

/** The options as the host gave them. */
export const MEMORY_OPTIONS = Symbol('MEMORY_OPTIONS');
export const MEMORY_STORE: InjectionToken<MemoryStore> = Symbol('MEMORY_STORE');
export const MEMORY_EMBEDDER: InjectionToken<Embedder> = Symbol('MEMORY_EMBEDDER');
export const MEMORY_COMPLETION: InjectionToken<Completion> = Symbol('MEMORY_COMPLETION');
export const MEMORY_QUEUE: InjectionToken<ObservationQueue> = Symbol('MEMORY_QUEUE');
export const MEMORY_EVENTS: InjectionToken<EventFanOut> = Symbol('MEMORY_EVENTS');
export const MEMORY_TELEMETRY: InjectionToken<Telemetry> = Symbol('MEMORY_TELEMETRY');
/** Whether this process works turns, or only hands them in. */
export const MEMORY_WORKER: InjectionToken<boolean> = Symbol('MEMORY_WORKER');
/** All ports and settings together. */
export const MEMORY_CONTEXT: InjectionToken<MemoryContext> = Symbol('MEMORY_CONTEXT');
