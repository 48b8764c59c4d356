export { MemoryModule } from './memory.module.js';
export type {
  CircuitOptions,
  MemoryLimits,
  MemoryModuleOptions,
  MemoryStructure,
  MemoryValues,
  ObservationOptions,
  RecallOptions,
  RetentionOptions,
  StorageDefinition,
} from './memory.options.js';
export { MEMORY_STORE } from './memory.tokens.js';
export type { PortDefinition } from './port-definition.js';

export { MemoryHealthIndicator } from './health/memory-health.indicator.js';
export type { MemoryHealth } from './health/memory-health.indicator.js';
export { MemoryService } from './memory/memory.service.js';
export { ScopedMemory } from './memory/scoped-memory.js';
export type { AddOptions } from './memory/scoped-memory.js';
export type { AddResult } from './memory/add.js';
export type { Clock } from './memory/clock.js';
export type { ForgetOptions } from './memory/forget.js';
export type { ExportedMemory, ExportInput } from './memory/export.js';
export type { ForgetStaleInput } from './memory/forget-stale.js';
export type { InjectInput } from './memory/inject.js';
export type { GetInput, ListedMemories, ListInput } from './memory/list.js';
export { PAGE_SIZE_MAX } from './memory/list.js';
export type { AddMemory } from './memory/prepare-memory.js';
export { RECALL_LAYERS_MAX } from './memory/recall-layers.js';
export type { RebuildInput, RebuildSummary } from './memory/rebuild-embeddings.js';
export type { RecallInput } from './memory/recall.js';
export { RECALL_LIMIT_MAX } from './memory/recall.js';
export type { RestoreResult } from './memory/restore.js';
export type { ObserveInput } from './memory/submit-turn.js';
export type { TokenCounter } from './memory/token-counter.js';
export type { UpdateMemory, UpdateResult } from './memory/update.js';
export type { UpkeepSummary } from './memory/upkeep.js';

export type { ErasureReceipt } from './model/erasure-receipt.js';
export type { ScopeSettings } from './model/scope-settings.js';
export type { ScopeStats } from './model/scope-stats.js';
export { MEMORY_KINDS } from './model/kind.js';
export type { MemoryKind } from './model/kind.js';
export type { Memory, MemoryMetadata, MemorySource, RecalledMemory, RecallMode, RevisionEnd } from './model/memory.js';
export { MESSAGE_ROLES } from './model/message.js';
export type { Message, MessageRole } from './model/message.js';
export type { AppliedDecision, Candidate, Decision, DecisionAction } from './model/decision.js';
export type { Observation, ObservationStatus } from './model/observation.js';
export type { PromptBlockMessage, PromptMessage } from './model/prompt-block.js';
export type { Rejection, RejectionReason } from './model/rejection.js';
export type { MemoryRevision } from './model/revision.js';
export type { Scope } from './model/scope.js';

export type {
  Completion,
  CompletionRequest,
  CompletionResult,
  CompletionTask,
  ConsolidationInput,
  EarlierMessage,
  ExtractionInput,
  TimedMessage,
} from './completion/completion.js';
export type { Embedder, EmbedderCalibration, EmbedOptions } from './embedding/embedder.js';
export type { MemoryChangedEvent, MemoryEvent, MemoryEventMap, MemoryEventName } from './events/event-map.js';
export type { MemoryEventListener } from './events/event-fan-out.js';
export type { EventPublisher } from './events/event-publisher.js';
export { OnMemoryEvent } from './events/nest/on-memory-event.js';
export type { MemoryEventDecorator, OnMemoryEventOptions } from './events/nest/on-memory-event.js';
export type { CircuitReport } from './provider/circuit.js';
export type { PersistencePolicy, PolicySubject } from './policy/persistence-policy.js';
export type { Redactor } from './policy/redactor.js';
export { SecretlintPersistencePolicy } from './policy/secretlint/secretlint-persistence-policy.js';
export type {
  HostPolicy,
  SecretlintPersistencePolicyOptions,
} from './policy/secretlint/secretlint-persistence-policy.js';
export type { ObservationQueue, TurnHandler } from './queue/observation-queue.js';
export type { QueueDefinition } from './queue/queue-definition.js';
export { inProcessQueue } from './queue/in-process/in-process-queue.js';
export type { InProcessQueueOptions } from './queue/in-process/in-process-queue.js';

export type * from './storage/memory-store.js';
export { engramEntities } from './storage/postgres/entities.js';
export { engramMigrations } from './storage/postgres/migrations.js';
export { createScopeIndex, dropScopeIndex } from './storage/postgres/scope-index.js';
export type { ScopeIndexReport } from './storage/postgres/build-scope-index.js';
export type { ScopeIndexOptions } from './storage/postgres/index-connection.js';
export type { CreateScopeIndexOptions } from './storage/postgres/scope-index.js';
export type { IndexBuildProgress } from './storage/postgres/watch-index-build.js';
export type { EngramMigrationOptions } from './storage/postgres/migrations.js';
export type { RowLevelSecurityOptions } from './storage/postgres/row-level-security.js';
export { hostDataSource, postgres } from './storage/postgres/postgres-storage.js';
export type {
  HostDataSourceOptions,
  PostgresStorageOptions,
  PostgresUrlOptions,
} from './storage/postgres/postgres-storage.js';

export { toClientError } from './errors/client-error.js';
export type { ClientError, MemoryErrorCode } from './errors/client-error.js';
export { ConflictError } from './errors/conflict-error.js';
export { EngramError } from './errors/engram-error.js';
export type { EngramErrorCode } from './errors/engram-error.js';
export { ForbiddenError } from './errors/forbidden-error.js';
export { InvalidInputError } from './errors/invalid-input-error.js';
export { InvalidOptionsError } from './errors/invalid-options-error.js';
export { InvalidScopeError } from './errors/invalid-scope-error.js';
export { NotFoundError } from './errors/not-found-error.js';
export { ProviderError } from './errors/provider-error.js';
export type { ProviderFault, TokenUsage } from './errors/provider-error.js';
export { StorageError } from './errors/storage-error.js';
export { UnauthenticatedError } from './errors/unauthenticated-error.js';
export { UnavailableError } from './errors/unavailable-error.js';

export { MemoryHttpErrorFilter } from './http/memory-http-error.filter.js';
