import { Logger } from '@nestjs/common';
import type { Provider } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { Completion } from './completion/completion.js';
import type { Embedder } from './embedding/embedder.js';
import { InvalidOptionsError } from './errors/invalid-options-error.js';
import { EventFanOut } from './events/event-fan-out.js';
import type { EventPublisher } from './events/event-publisher.js';
import { NestEventPublisher } from './events/nest/nest-event-publisher.js';
import { silentEventPublisher } from './events/silent-event-publisher.js';
import { startTelemetry } from './events/telemetry/telemetry.js';
import type { Telemetry } from './events/telemetry/telemetry.js';
import type { MemoryStructure, MemoryValues } from './memory.options.js';
import {
  MEMORY_COMPLETION,
  MEMORY_CONTEXT,
  MEMORY_EMBEDDER,
  MEMORY_EVENTS,
  MEMORY_OPTIONS,
  MEMORY_QUEUE,
  MEMORY_STORE,
  MEMORY_TELEMETRY,
  MEMORY_WORKER,
} from './memory.tokens.js';
import { AccessRecorder } from './memory/access-recorder.js';
import { checkedClock, systemClock } from './memory/clock.js';
import { CommitOrder } from './memory/commit-order.js';
import { HandIns } from './memory/hand-ins.js';
import type { MemoryContext } from './memory/memory-context.js';
import { MemoryService } from './memory/memory.service.js';
import { requirePorts } from './memory/require-ports.js';
import { checkOptionNames, resolveSettings } from './memory/resolve-settings.js';
import { ScopeSwitches } from './memory/scope-switches.js';
import { errorClass } from './memory/telemetry.js';
import { approximateTokenCounter, checkedTokenCounter } from './memory/token-counter.js';
import { RunningTurns } from './observation/running-turns.js';
import { SecretlintPersistencePolicy } from './policy/secretlint/secretlint-persistence-policy.js';
import type { PortDefinition } from './port-definition.js';
import { guardProviders } from './provider/guard-providers.js';
import { inProcessQueue } from './queue/in-process/in-process-queue.js';
import type { ObservationQueue } from './queue/observation-queue.js';
import type { MemoryStore } from './storage/memory-store.js';
import { hostDataSource } from './storage/postgres/postgres-storage.js';

function requireDefinition<Definition extends PortDefinition<unknown>>(
  option: string,
  definition: Definition,
  wayOut: string,
): Definition {
  if (typeof definition?.create !== 'function')
    throw new InvalidOptionsError(option, `Option ${option} has no create(). ${wayOut}`);
  return definition;
}

/** Providers that depend on the structure: which storage, which queue. */
export function structureProviders(structure: MemoryStructure): Provider[] {
  const storage = requireDefinition(
    'storage',
    structure.storage ?? hostDataSource(),
    'Give hostDataSource(), postgres({ url }) or embeddedPostgres({ dataDir }), called.',
  );
  const queue = requireDefinition(
    'queue',
    structure.queue ?? inProcessQueue(),
    'Give inProcessQueue(), called, or a definition of your own.',
  );
  const worker = structure.worker ?? true;
  if (typeof worker !== 'boolean')
    throw new InvalidOptionsError('worker', 'Option worker must be true or false. Leave it out for true.');
  return [
    {
      provide: MEMORY_STORE,
      inject: [MEMORY_OPTIONS, ...(storage.inject ?? [])],
      // The options come first so that a wrong one is reported before a database is touched.
      useFactory: async (values: MemoryValues, ...dependencies: unknown[]): Promise<MemoryStore> => {
        checkOptionNames(values);
        const { retention } = resolveSettings(values);
        const store = await storage.create(...dependencies);
        await store.start({ retention });
        return store;
      },
    },
    {
      provide: MEMORY_QUEUE,
      inject: [...(queue.inject ?? [])],
      useFactory: (...dependencies: unknown[]) => queue.create(...dependencies),
    },
    { provide: MEMORY_WORKER, useValue: worker },
    ...(worker ? (queue.workerProviders ?? []) : []),
  ];
}

/** Providers that depend on values only. */
export const valueProviders: Provider[] = [
  {
    provide: MEMORY_EMBEDDER,
    inject: [MEMORY_OPTIONS],
    useFactory: async (values: MemoryValues): Promise<Embedder> => {
      const { embedder } = requirePorts(values);
      await embedder.start?.();
      return embedder;
    },
  },
  {
    provide: MEMORY_COMPLETION,
    inject: [MEMORY_OPTIONS],
    useFactory: (values: MemoryValues): Completion => requirePorts(values).completion,
  },
  {
    provide: MEMORY_EVENTS,
    inject: [MEMORY_OPTIONS, { token: EventEmitter2, optional: true }],
    useFactory: (values: MemoryValues, emitter?: EventEmitter2): EventFanOut =>
      new EventFanOut(values.events ?? (emitter ? new NestEventPublisher(emitter) : silentEventPublisher)),
  },
  { provide: MEMORY_TELEMETRY, inject: [MEMORY_EVENTS, MEMORY_QUEUE], useFactory: startTelemetry },
  {
    provide: MEMORY_CONTEXT,
    inject: [
      MEMORY_OPTIONS,
      MEMORY_STORE,
      MEMORY_EMBEDDER,
      MEMORY_COMPLETION,
      MEMORY_QUEUE,
      MEMORY_EVENTS,
      MEMORY_TELEMETRY,
    ],
    useFactory: (
      values: MemoryValues,
      store: MemoryStore,
      embedder: Embedder,
      completion: Completion,
      queue: ObservationQueue,
      events: EventPublisher,
      { tracing }: Telemetry,
    ): MemoryContext => {
      const logger = new Logger('Memory');
      const clock = values.clock ? checkedClock(values.clock) : systemClock;
      const settings = resolveSettings(values);
      return {
        store,
        ...guardProviders({ embedder, completion }, { settings, events, clock, tracing }),
        queue,
        running: new RunningTurns(),
        handIns: new HandIns(),
        events,
        commits: new CommitOrder(),
        tracing,
        policy: values.policy ?? new SecretlintPersistencePolicy(),
        redactor: values.redactor ?? null,
        clock,
        tokenCounter: values.tokenCounter ? checkedTokenCounter(values.tokenCounter) : approximateTokenCounter,
        access: new AccessRecorder(store, (error) =>
          logger.warn(`Accesses could not be counted: ${errorClass(error)}.`),
        ),
        switches: new ScopeSwitches(),
        settings,
        scopeIdentifier: values.scopeIdentifier ?? null,
      };
    },
  },
  {
    provide: MemoryService,
    inject: [MEMORY_CONTEXT, MEMORY_EVENTS],
    useFactory: (context: MemoryContext, events: EventFanOut) => new MemoryService(context, events),
  },
];
