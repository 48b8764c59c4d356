import { createHash } from 'node:crypto';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { codePointLength, truncateCodePoints } from '../model/content.js';
import { MESSAGE_ROLES } from '../model/message.js';
import type { Message } from '../model/message.js';
import type { Observation } from '../model/observation.js';
import { stripPromptBlock } from '../model/prompt-block.js';
import type { Scope } from '../model/scope.js';
import type { HoldBack, NewTurn, TurnRecord } from '../storage/memory-store.js';
import type { MemoryContext } from './memory-context.js';
import { validateDate, validateNumber, validateText, validateTimeZone } from './validate-input.js';
import { tellInOrder } from './write-in-order.js';

/** Turns without an id and a time are told apart by ten minutes: the same words said later are said again. */
const BUCKET_MS = 10 * 60_000;
const TURN_ID_MAX = 256;
/** A hundred years. */
const AGE_MAX_MS = 100 * 365 * 86_400_000;

export interface ObserveInput {
  /** 1-256 code points, unique within the scope. @default a hash of scope, messages and time */
  readonly turnId?: string;
  /** When it was said. What "tomorrow" means goes by it. @default now */
  readonly occurredAt?: Date;
  /**
   * Milliseconds since it was said. By it a turn that is handed in later stands right among changes, forgettings and
   * erasures, which the database's clock dates, where the clock of the app is another. @default from `occurredAt`
   */
  readonly ageMs?: number;
  /** IANA name, for "tomorrow". @default UTC */
  readonly timeZone?: string;
  /**
   * What was said before the turn, oldest first: it tells a model what "yes, that one" is about, and nothing is learned
   * from it. Stored until the turn is applied, secrets masked; no part of what makes the turn known again. System
   * prompts and tool output are left out. @default none
   */
  readonly context?: readonly Message[];
}

/** @throws InvalidInputError */
function validateTurn({ settings }: MemoryContext, messages: unknown): Message[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new InvalidInputError('messages', 'messages must be a list of { role, content } with at least one message.');
  }
  return validateMessages(settings.limits, messages, {
    name: 'messages',
    most: settings.limits.turnMessages,
    wayOut: 'Hand in only what is new since the last turn.',
  });
}

/** Those that tell what a turn is about. @throws InvalidInputError */
function validateContext({ settings }: MemoryContext, context: unknown): Message[] {
  if (context === undefined) return [];
  if (!Array.isArray(context))
    throw new InvalidInputError('context', 'context must be a list of { role, content }. Leave it out for none.');
  return validateMessages(settings.limits, context, {
    name: 'context',
    most: settings.limits.contextMessages,
    wayOut: 'Hand in the last ones before the turn.',
  }).filter(({ role }) => role === 'user' || role === 'assistant');
}

/** @throws InvalidInputError naming the message at fault */
function validateMessages(
  { messageLength }: MemoryContext['settings']['limits'],
  messages: readonly unknown[],
  { name, most, wayOut }: { name: 'messages' | 'context'; most: number; wayOut: string },
): Message[] {
  if (messages.length > most) {
    throw new InvalidInputError(name, `${name} has ${messages.length} items, at most ${most} are allowed. ${wayOut}`);
  }
  // `Array.from` sees a hole in the list, which `map` would pass over.
  return Array.from(messages, (message: unknown, index) => {
    const field = `${name}[${index}]`;
    if (typeof message !== 'object' || message === null)
      throw new InvalidInputError(field, `${field} must be an object { role, content }.`);
    const { role, content } = message as Partial<Record<keyof Message, unknown>>;
    const known = MESSAGE_ROLES.find((name) => name === role);
    if (!known)
      throw new InvalidInputError(`${field}.role`, `${field}.role is unknown. Use one of ${MESSAGE_ROLES.join(', ')}.`);
    const text = validateText(`${field}.content`, content);
    const length = codePointLength(text);
    if (length > messageLength) {
      throw new InvalidInputError(
        `${field}.content`,
        `${field}.content has ${length} characters, at most ${messageLength} are allowed. Cut what is pasted, keep what was said.`,
      );
    }
    return { role: known, content: text };
  });
}

/** As a turn keeps them: recalled memories cut out, secrets masked. */
async function storable(context: MemoryContext, messages: readonly Message[]): Promise<Message[]> {
  if (messages.length === 0) return [];
  const said = messages.map(({ role, content }) => ({ role, content: stripPromptBlock(content) }));
  // A mask can be longer than what it hides.
  return (await context.policy.mask(said)).map(({ role, content }) => ({
    role,
    content: truncateCodePoints(content, context.settings.limits.messageLength),
  }));
}

function hashMessages(messages: readonly Message[]): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(messages.map(({ role, content }) => [role, content])))
    .digest();
}

function derivedTurnId(scope: Scope, messagesHash: Buffer, time: string): string {
  return createHash('sha256')
    .update(JSON.stringify([scope.tenantId, scope.scope, messagesHash.toString('hex'), time]))
    .digest('hex');
}

/** Ids under which the turn may be known, the one to store it under first. */
function turnIds(
  context: MemoryContext,
  scope: Scope,
  input: ObserveInput,
  messagesHash: Buffer,
): readonly [string, ...string[]] {
  if (input.turnId !== undefined) {
    const turnId = validateText('turnId', input.turnId);
    const length = codePointLength(turnId);
    if (turnId.trim() === '' || length > TURN_ID_MAX) {
      throw new InvalidInputError(
        'turnId',
        `turnId must have 1 to ${TURN_ID_MAX} characters, not only blanks. Leave it out to have one derived.`,
      );
    }
    return [turnId];
  }
  if (input.occurredAt !== undefined) {
    return [derivedTurnId(scope, messagesHash, input.occurredAt.toISOString())];
  }
  const bucket = Math.floor(context.clock.now().getTime() / BUCKET_MS);
  return [
    derivedTurnId(scope, messagesHash, `bucket ${bucket}`),
    derivedTurnId(scope, messagesHash, `bucket ${bucket - 1}`),
  ];
}

/** Of a turn without a time of its own it is known that it is said now, whatever the app's clock says. */
function validateAge({ occurredAt, ageMs }: ObserveInput): number | null {
  if (ageMs !== undefined) return validateNumber('ageMs', ageMs, 0, AGE_MAX_MS);
  return occurredAt === undefined ? 0 : null;
}

export function observationOf(turn: TurnRecord, duplicate: boolean): Observation {
  return { turnId: turn.turnId, status: turn.status, duplicate, decisions: turn.decisions, error: turn.errorCode };
}

export interface SubmitOptions {
  readonly holdBack: HoldBack | undefined;
  /** Nobody waits for it: an event says that it is there to be learned. */
  readonly isForWorker: boolean;
}

export function publishQueued(context: MemoryContext, scope: Scope, turnId: string): void {
  context.events.publish('observation.queued', { ...scope, at: context.clock.now().toISOString(), turnId });
}

/**
 * Stores a turn as pending, once: from here on it is durable, whoever applies it.
 * Recalled memories are cut out and secrets masked before anything is written.
 * @returns `disabled` while the scope is off, `rejected` for what was said before its last erasure; neither is stored
 * @throws ConflictError for a known turnId with other messages, or when the scope is erased meanwhile
 */
export async function submitTurn(
  context: MemoryContext,
  scope: Scope,
  messages: readonly Message[],
  input: ObserveInput,
  { holdBack, isForWorker }: SubmitOptions,
): Promise<Observation> {
  const valid = validateTurn(context, messages);
  const earlier = validateContext(context, input.context);
  const occurredAt = input.occurredAt === undefined ? null : validateDate('occurredAt', input.occurredAt);
  const ageMs = validateAge(input);
  const timeZone = input.timeZone === undefined ? null : validateTimeZone(input.timeZone);
  const messagesHash = hashMessages(valid);
  const [turnId, ...olderIds] = turnIds(context, scope, input, messagesHash);

  for (const olderId of olderIds) {
    const known = await context.store.turns.find(scope, olderId);
    if (known) return observationOf(known, true);
  }
  const { generation, erasedAt } = await context.store.scopeState(scope);
  // Said before the erasure: what was erased must not come back by another door, so it is not even written down.
  const rejected: Observation = { turnId, status: 'rejected', duplicate: false, decisions: [], error: null };
  if (erasedAt && occurredAt && ageMs === null && occurredAt < erasedAt) return rejected;
  const newTurn: NewTurn = {
    turnId,
    messages: await storable(context, valid),
    context: await storable(context, earlier),
    messagesHash,
    occurredAt: occurredAt ?? context.clock.now(),
    ...(ageMs !== null && { ageMs }),
    timeZone,
    generation,
  };
  const { outcome, turn } = await tellInOrder(
    context,
    scope,
    'shared',
    (onLocked) => context.store.turns.insert(scope, newTurn, holdBack, onLocked),
    (inserted) => {
      if (isForWorker && inserted.outcome === 'inserted') publishQueued(context, scope, turnId);
    },
  );
  if (outcome === 'erased') return rejected;
  if (outcome === 'disabled' || !turn)
    return { turnId, status: 'disabled', duplicate: false, decisions: [], error: null };
  return observationOf(turn, outcome === 'duplicate');
}
