import { registerEnumType } from '@nestjs/graphql';
import type { DecisionAction } from '../model/decision.js';
import type { MemoryKind } from '../model/kind.js';
import type { MemorySource, RecallMode, RevisionEnd } from '../model/memory.js';
import type { MessageRole } from '../model/message.js';
import type { ObservationStatus } from '../model/observation.js';
import type { MemoryEventAction } from './subscriptions/memory-event-message.js';

/** GraphQL names in upper case, the model's values behind them: resolvers pass values through unchanged. */
type Named<T extends string> = { readonly [Name in Uppercase<T>]: Lowercase<Name> & T };

export const MemoryKindEnum: Named<MemoryKind> = {
  FACT: 'fact',
  PREFERENCE: 'preference',
  GOAL: 'goal',
  INSTRUCTION: 'instruction',
  EPISODIC: 'episodic',
};
registerEnumType(MemoryKindEnum, { name: 'MemoryKind', description: 'What sort of statement a memory is.' });

export const MemorySourceEnum: Named<MemorySource> = { MANUAL: 'manual', OBSERVED: 'observed', IMPORTED: 'imported' };
registerEnumType(MemorySourceEnum, { name: 'MemorySource', description: 'How a memory came to be.' });

export const MemoryRecallModeEnum: Named<RecallMode> = { HYBRID: 'hybrid', VECTOR: 'vector', KEYWORD: 'keyword' };
registerEnumType(MemoryRecallModeEnum, {
  name: 'MemoryRecallMode',
  description: 'What answers a recall: meaning, words, or both.',
});

export const MemoryObservationStatusEnum: Named<ObservationStatus> = {
  PENDING: 'pending',
  RUNNING: 'running',
  APPLIED: 'applied',
  NOTHING: 'nothing',
  REJECTED: 'rejected',
  DISABLED: 'disabled',
  FAILED: 'failed',
  DEAD: 'dead',
};
registerEnumType(MemoryObservationStatusEnum, {
  name: 'MemoryObservationStatus',
  description: 'Where a turn stands. FAILED is tried again, DEAD is not.',
});

export const MemoryDecisionActionEnum: Named<DecisionAction> = {
  ADD: 'add',
  UPDATE: 'update',
  FORGET: 'forget',
  NOOP: 'noop',
  MERGE: 'merge',
};
registerEnumType(MemoryDecisionActionEnum, {
  name: 'MemoryDecisionAction',
  description: 'What was made of a statement found in a turn.',
});

export const MemoryRevisionEndEnum: Named<RevisionEnd> = {
  UPDATE: 'update',
  FORGET: 'forget',
  EXPIRE: 'expire',
  MERGE: 'merge',
  RESTORE: 'restore',
};
registerEnumType(MemoryRevisionEndEnum, {
  name: 'MemoryRevisionEnd',
  description: 'What ended a state. MERGE: another memory said the same already.',
});

export const MemoryMessageRoleEnum: Named<MessageRole> = {
  SYSTEM: 'system',
  USER: 'user',
  ASSISTANT: 'assistant',
  TOOL: 'tool',
};
registerEnumType(MemoryMessageRoleEnum, { name: 'MemoryMessageRole', description: 'Who said a message.' });

export const MemoryEventActionEnum: Named<MemoryEventAction> = {
  ADDED: 'added',
  UPDATED: 'updated',
  FORGOTTEN: 'forgotten',
  RESTORED: 'restored',
  EXPIRED: 'expired',
  ERASED: 'erased',
};
registerEnumType(MemoryEventActionEnum, {
  name: 'MemoryEventAction',
  description: 'What happened. ERASED is about the whole scope.',
});
