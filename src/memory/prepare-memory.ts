import { contentHash } from '../model/content.js';
import { isInjectedInstruction } from '../model/injected-instruction.js';
import type { MemoryKind } from '../model/kind.js';
import type { MemoryMetadata } from '../model/memory.js';
import type { Rejection } from '../model/rejection.js';
import { searchText } from '../model/search-text.js';
import type { PolicySubject } from '../policy/persistence-policy.js';
import type { MemoryContext } from './memory-context.js';
import { validateContent, validateDate, validateImportance, validateKind } from './validate-input.js';
import { validateMetadata } from './validate-metadata.js';

/** Importance of a memory that was given none. */
export const DEFAULT_IMPORTANCE = 0.5;

export interface AddMemory {
  /** One short third-person sentence, at most `limits.contentLength` code points. */
  readonly content: string;
  /** @default 'fact' */
  readonly kind?: MemoryKind;
  /** 0-1. @default 0.5 */
  readonly importance?: number;
  /** Plain JSON. @default {} */
  readonly metadata?: MemoryMetadata;
  /** From then on no read returns it. @default null: never */
  readonly expiresAt?: Date | null;
}

/** A memory that passed validation; not yet checked by the policy. */
export interface PreparedMemory {
  readonly content: string;
  readonly contentHash: string;
  readonly searchText: string;
  readonly kind: MemoryKind;
  readonly importance: number;
  readonly metadata: MemoryMetadata;
  readonly expiresAt: Date | null;
}

/** @throws InvalidInputError naming the field, with `path` in front of it */
export function validateMemory(
  context: MemoryContext,
  input: AddMemory,
  path = '',
): Omit<PreparedMemory, 'contentHash' | 'searchText'> {
  const { limits } = context.settings;
  return {
    content: validateContent(input.content, limits.contentLength, `${path}content`),
    kind: input.kind === undefined ? 'fact' : validateKind(input.kind, `${path}kind`),
    importance:
      input.importance === undefined ? DEFAULT_IMPORTANCE : validateImportance(`${path}importance`, input.importance),
    metadata: input.metadata === undefined ? {} : validateMetadata(input.metadata, limits.metadataBytes),
    expiresAt:
      input.expiresAt === undefined || input.expiresAt === null
        ? null
        : validateDate(`${path}expiresAt`, input.expiresAt),
  };
}

const INJECTED: Rejection = {
  reason: 'injected',
  message:
    'The text is an order to the assistant that a conversation may have planted: store it by hand if it is wanted.',
};

const REDACTED: Rejection = {
  reason: 'host-policy',
  message: "The app's redactor left no text that can be stored.",
};

/**
 * What the redactor gave, or null for a text that cannot be stored. Of a turn it costs that one sentence: the turn would
 * else be tried again and again, and what else was said in it be lost. By hand it is an error, with what is wrong.
 */
async function redact(context: MemoryContext, subject: PolicySubject, byHand: boolean): Promise<string | null> {
  const redacted = await context.redactor?.redact(subject);
  try {
    return validateContent(redacted, context.settings.limits.contentLength, 'content returned by the redactor');
  } catch (error) {
    if (subject.source === 'observed' && !byHand && typeof redacted === 'string') return null;
    throw error;
  }
}

/**
 * The text as it would be stored, or the reason why it is not. The policy sees it before and after the host's redactor:
 * before, because a secret must not depend on a redactor; after, because a redactor can write anything. What is observed
 * may hold no planted order, whichever policy a host has; `byHand`: an observed memory that somebody changes may.
 */
export async function screen(
  context: MemoryContext,
  subject: PolicySubject,
  { byHand = false }: { byHand?: boolean } = {},
): Promise<{ content: string; rejection: null } | { content: null; rejection: Rejection }> {
  const planted = (text: string): Rejection | null =>
    subject.source === 'observed' && !byHand && isInjectedInstruction(text, subject.kind) ? INJECTED : null;
  const refused = planted(subject.content) ?? (await context.policy.check(subject));
  if (refused) return { content: null, rejection: refused };
  if (!context.redactor) return { content: subject.content, rejection: null };
  const content = await redact(context, subject, byHand);
  if (content === null) return { content: null, rejection: REDACTED };
  if (content === subject.content) return { content, rejection: null };
  const refusedAfter = planted(content) ?? (await context.policy.check({ ...subject, content }));
  return refusedAfter ? { content: null, rejection: refusedAfter } : { content, rejection: null };
}

/** Completes a validated memory with what is derived from its final text. */
export function withDerived<T extends { content: string }>(memory: T): T & { contentHash: string; searchText: string } {
  return { ...memory, contentHash: contentHash(memory.content), searchText: searchText(memory.content) };
}
