import type { Completion } from '../completion/completion.js';
import type { Embedder } from '../embedding/embedder.js';
import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import type { MemoryValues } from '../memory.options.js';

/** Longest vector that a halfvec holds (pgvector). Past some 3,900 it no longer fits its row and is read from beside it. */
const DIMENSIONS_MAX = 16_000;

/** @throws InvalidOptionsError for a factory that returned none */
export function requireOptions(values: MemoryValues): void {
  if (typeof values === 'object' && values !== null) return;
  throw new InvalidOptionsError('options', 'MemoryModule got no options. Give at least { embedder, completion }.');
}

function requirePort<T>(option: string, value: T | undefined, methods: readonly (keyof T)[], wayOut: string): T {
  const port = value as Record<keyof T, unknown> | null | undefined;
  const missing = methods.filter((method) => typeof port?.[method] !== 'function');
  if (!value || missing.length > 0) {
    const fault = value ? `lacks ${missing.map((method) => `${String(method)}()`).join(', ')}` : 'is missing';
    throw new InvalidOptionsError(option, `Option ${option} ${fault}. ${wayOut}`);
  }
  return value;
}

/** @throws InvalidOptionsError for an embedder whose space or dimensions cannot be stored */
function requireSpace({ space, dimensions }: Embedder): void {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > DIMENSIONS_MAX) {
    throw new InvalidOptionsError(
      'embedder',
      `Option embedder: its vectors have ${String(dimensions)} dimensions, 1 to ${DIMENSIONS_MAX} can be stored. Ask the model for fewer, or use another one.`,
    );
  }
  if (typeof space !== 'string' || !space.endsWith(`:${dimensions}`)) {
    throw new InvalidOptionsError(
      'embedder',
      `Option embedder: its space must be "provider:model:dimensions" and end in :${dimensions}. Correct the space property.`,
    );
  }
}

function requireCalibration({ calibration }: Embedder): void {
  const { maxDistance, minCoverage, minScore, denseWeight }: Partial<Record<string, unknown>> = Object(calibration);
  const given = [maxDistance, minCoverage, denseWeight, minScore === null ? 0 : minScore];
  if (!given.every((value) => typeof value === 'number' && Number.isFinite(value))) {
    throw new InvalidOptionsError(
      'embedder',
      'Option embedder: its calibration must be { maxDistance, minCoverage, denseWeight, minScore } of numbers, minScore may be null. Without them recall cannot tell what is relevant.',
    );
  }
}

function requireTasks({ name, tasks }: Completion): void {
  if (typeof name === 'string' && Array.isArray(tasks)) return;
  throw new InvalidOptionsError(
    'completion',
    "Option completion: its name must be a text and its tasks a list, ['extract'] or ['extract', 'consolidate'].",
  );
}

/** @throws InvalidOptionsError when embedder or completion are missing or are not of their port's form */
export function requirePorts(values: MemoryValues): { embedder: Embedder; completion: Completion } {
  requireOptions(values);
  const ports = {
    embedder: requirePort(
      'embedder',
      values.embedder,
      ['embedDocuments', 'embedQuery'],
      'Give `new OpenAiEmbedder(...)` from nestjs-engram/openai, or `new LocalEmbedder()` from nestjs-engram/local, which needs no key.',
    ),
    completion: requirePort(
      'completion',
      values.completion,
      ['complete'],
      'Give `new OpenAiCompletion(...)` from nestjs-engram/openai, or `new LocalCompletion()` from nestjs-engram/local, which needs no key.',
    ),
  };
  requireSpace(ports.embedder);
  requireCalibration(ports.embedder);
  requireTasks(ports.completion);
  return ports;
}

/** What else an app may bring, with what is called of it. */
const HOST_PORTS = {
  policy: ['check', 'mask'],
  redactor: ['redact'],
  events: ['publish'],
  clock: ['now'],
  tokenCounter: ['count'],
} as const satisfies Partial<Record<keyof MemoryValues, readonly string[]>>;

/** @throws InvalidOptionsError for one that is not of its port's form, instead of a failure of the first call */
export function requireHostPorts(values: MemoryValues): void {
  for (const [option, methods] of Object.entries(HOST_PORTS)) {
    const given = values[option as keyof typeof HOST_PORTS] as Record<string, unknown> | undefined;
    if (given !== undefined) requirePort(option, given, methods, 'Leave it out for the default.');
  }
  const { scopeIdentifier } = values;
  if (scopeIdentifier !== undefined && typeof scopeIdentifier !== 'function') {
    throw new InvalidOptionsError(
      'scopeIdentifier',
      'Option scopeIdentifier must be a function of the scope that returns a text. Leave it out to name no scopes.',
    );
  }
}
