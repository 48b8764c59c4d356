import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import type {
  CircuitOptions,
  DebounceOptions,
  MemoryStructure,
  MemoryValues,
  ObservationOptions,
  RecallOptions,
} from '../memory.options.js';
import { answeredAtOnce } from './answered-at-once.js';
import { CONTENT_MAX } from '../model/content.js';
import type { Message } from '../model/message.js';
import { isSmallTalk } from '../model/small-talk.js';
import type { HoldBack, RecallPrior } from '../storage/memory-store.js';
import type { MemorySettings } from './memory-context.js';
import { requireHostPorts, requireOptions, requirePorts } from './require-ports.js';
import { RECALL_LIMIT_MAX } from './recall.js';

/** Longest memory that an option may allow, in code points: a memory is a sentence, and a prompt block has to hold several. */
const CONTENT_CEILING = 10_000;

/** Turns that waited for each other and are asked about in one call, unless an option says how many. */
const DEBOUNCED_MERGE = 10;

type Bounds = { readonly min: number; readonly max: number; readonly whole?: boolean };

function number(option: string, value: unknown, fallback: number, { min, max, whole = false }: Bounds): number {
  if (value === undefined) return fallback;
  if (
    typeof value !== 'number' ||
    !Number.isFinite(value) ||
    value < min ||
    value > max ||
    (whole && !Number.isInteger(value))
  ) {
    throw new InvalidOptionsError(
      option,
      `Option ${option} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}. Leave it out for ${fallback}.`,
    );
  }
  return value;
}

/** Null is a value of its own: without a limit. */
function numberOrNull(option: string, value: unknown, fallback: number, bounds: Bounds): number | null {
  return value === null ? null : number(option, value, fallback, bounds);
}

function oneOf<T extends string>(option: string, value: unknown, fallback: T, allowed: readonly T[]): T {
  if (value === undefined) return fallback;
  const known = allowed.find((name) => name === value);
  if (!known)
    throw new InvalidOptionsError(
      option,
      `Option ${option} must be one of ${allowed.join(', ')}. Leave it out for ${fallback}.`,
    );
  return known;
}

function flag(option: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value === 'boolean') return value;
  throw new InvalidOptionsError(option, `Option ${option} must be true or false. Leave it out for ${fallback}.`);
}

function resolveDebounce(debounce: DebounceOptions | undefined): HoldBack | null {
  if (debounce === undefined) return null;
  if (typeof debounce !== 'object' || debounce === null) {
    throw new InvalidOptionsError(
      'observation.debounce',
      'Option observation.debounce must be an object { idleMs?, everyTurns? }. Leave it out to learn from every turn at once.',
    );
  }
  const { idleMs, everyTurns } = debounce;
  return {
    idleMs: number('observation.debounce.idleMs', idleMs, 60_000, { min: 1, max: 7 * 24 * 60 * 60_000 }),
    everyTurns: number('observation.debounce.everyTurns', everyTurns, Number.MAX_SAFE_INTEGER, {
      min: 1,
      max: 1_000,
      whole: true,
    }),
  };
}

/** Some user message is more than small talk. */
function isWorthAsking(messages: readonly Message[]): boolean {
  return messages.some(({ role, content }) => role === 'user' && content.trim() !== '' && !isSmallTalk(content));
}

function resolveGate(gate: ObservationOptions['gate']): (messages: readonly Message[]) => boolean {
  if (gate === undefined) return isWorthAsking;
  if (typeof gate === 'function') {
    return (messages) =>
      answeredAtOnce(gate(messages), 'observation.gate', 'Option observation.gate must return true or false');
  }
  throw new InvalidOptionsError(
    'observation.gate',
    'Option observation.gate must be a function of the messages that returns true or false. Leave it out for the default.',
  );
}

/** Null where neither weight is set: recall then has nothing to add up. */
function resolvePrior(recall: RecallOptions): RecallPrior | null {
  const share: Bounds = { min: 0, max: 1 };
  const importanceWeight = number('recall.importanceWeight', recall.importanceWeight, 0, share);
  const recencyWeight = number('recall.recencyWeight', recall.recencyWeight, 0, share);
  const halfLifeDays = number('recall.recencyHalfLifeDays', recall.recencyHalfLifeDays, 30, { min: 0.01, max: 36_500 });
  if (importanceWeight + recencyWeight > 1) {
    throw new InvalidOptionsError(
      'recall.importanceWeight',
      `Options recall.importanceWeight (${importanceWeight}) and recall.recencyWeight (${recencyWeight}) are more than 1 together. Lower one: relevance has what they leave.`,
    );
  }
  return importanceWeight + recencyWeight > 0 ? { importanceWeight, recencyWeight, halfLifeDays } : null;
}

function resolveCircuit(circuit: CircuitOptions = {}): MemorySettings['circuit'] {
  const duration: Bounds = { min: 1, max: 3_600_000, whole: true };
  const openMs = number('circuit.openMs', circuit.openMs, 5_000, duration);
  return {
    failures: number('circuit.failures', circuit.failures, 3, { min: 1, max: 1_000_000, whole: true }),
    openMs,
    maxOpenMs: number('circuit.maxOpenMs', circuit.maxOpenMs, Math.max(openMs, 60_000), { ...duration, min: openMs }),
  };
}

const VALUE_NAMES = [
  'embedder',
  'completion',
  'policy',
  'redactor',
  'events',
  'recall',
  'limits',
  'observation',
  'circuit',
  'retention',
  'clock',
  'tokenCounter',
  'scopeIdentifier',
] as const satisfies readonly (keyof MemoryValues)[];

const STRUCTURE_NAMES = [
  'storage',
  'queue',
  'worker',
  'isGlobal',
] as const satisfies readonly (keyof MemoryStructure)[];

const GROUP_NAMES = {
  recall: [
    'limit',
    'mode',
    'maxDistance',
    'minCoverage',
    'denseWeight',
    'embedTimeoutMs',
    'importanceWeight',
    'recencyWeight',
    'recencyHalfLifeDays',
    'touch',
  ],
  limits: [
    'contentLength',
    'queryLength',
    'metadataBytes',
    'batchSize',
    'turnMessages',
    'contextMessages',
    'messageLength',
    'candidates',
  ],
  observation: [
    'consolidation',
    'neighbours',
    'mergeTurns',
    'debounce',
    'gate',
    'leaseMs',
    'modelTimeoutMs',
    'maxFailures',
    'maxAttempts',
    'retryDelayMs',
    'sweepIntervalMs',
    'shutdownGraceMs',
    'keepFailedTurns',
    'keepTurns',
  ],
  circuit: ['failures', 'openMs', 'maxOpenMs'],
  retention: ['versions', 'days', 'upkeepIntervalMs'],
} as const satisfies {
  [G in 'recall' | 'limits' | 'observation' | 'circuit' | 'retention']: readonly (keyof NonNullable<MemoryValues[G]>)[];
};

/** @throws InvalidOptionsError for an option that does not exist, or that stands where it would be ignored */
export function checkOptionNames(values: MemoryValues): void {
  requireOptions(values);
  const unknown = (path: string, names: readonly string[], known: readonly string[]): void => {
    const name = names.find((given) => !known.includes(given));
    if (name !== undefined)
      throw new InvalidOptionsError(
        `${path}${name}`,
        `Option ${path}${name} does not exist. There are: ${known.join(', ')}.`,
      );
  };
  const structural = STRUCTURE_NAMES.find((name) => name in values);
  if (structural) {
    throw new InvalidOptionsError(
      structural,
      `Option ${structural} was returned by useFactory, where it comes too late. Put it beside useFactory in forRootAsync.`,
    );
  }
  unknown('', Object.keys(values), VALUE_NAMES);
  for (const [group, known] of Object.entries(GROUP_NAMES)) {
    const given = values[group as keyof typeof GROUP_NAMES];
    if (given === undefined) continue;
    if (typeof given !== 'object' || given === null)
      throw new InvalidOptionsError(group, `Option ${group} must be an object. There are: ${known.join(', ')}.`);
    unknown(`${group}.`, Object.keys(given), known);
  }
}

/** Every option checked and given its default. @throws InvalidOptionsError naming the option and the way out */
export function resolveSettings(values: MemoryValues): MemorySettings {
  const { embedder, completion } = requirePorts(values);
  requireHostPorts(values);
  const { calibration } = embedder;
  const recall = values.recall ?? {};
  const limits = values.limits ?? {};
  const observation = values.observation ?? {};
  const retention = values.retention ?? {};
  const share: Bounds = { min: 0, max: 1 };
  const size: Bounds = { min: 1, max: 1_000_000, whole: true };
  const duration: Bounds = { min: 1, max: 3_600_000, whole: true };

  const offersConsolidation = completion.tasks.includes('consolidate');
  const consolidation = oneOf(
    'observation.consolidation',
    observation.consolidation,
    offersConsolidation ? 'llm' : 'heuristic',
    ['llm', 'heuristic'],
  );
  if (consolidation === 'llm' && !offersConsolidation) {
    throw new InvalidOptionsError(
      'observation.consolidation',
      `Option observation.consolidation is 'llm', but the completion ${completion.name} cannot consolidate. Use 'heuristic' or another completion.`,
    );
  }
  const leaseMs = number('observation.leaseMs', observation.leaseMs, 60_000, {
    min: 1_000,
    max: 3_600_000,
    whole: true,
  });
  const modelTimeoutMs = number(
    'observation.modelTimeoutMs',
    observation.modelTimeoutMs,
    Math.min(30_000, Math.floor(leaseMs / 2)),
    duration,
  );
  if (modelTimeoutMs >= leaseMs) {
    throw new InvalidOptionsError(
      'observation.modelTimeoutMs',
      `Option observation.modelTimeoutMs (${modelTimeoutMs}) must be less than observation.leaseMs (${leaseMs}): a claim must outlive the call it pays for.`,
    );
  }

  const debounce = resolveDebounce(observation.debounce);

  return {
    recall: {
      limit: number('recall.limit', recall.limit, 5, { min: 1, max: RECALL_LIMIT_MAX, whole: true }),
      mode: oneOf('recall.mode', recall.mode, 'hybrid', ['hybrid', 'vector', 'keyword']),
      maxDistance: number('recall.maxDistance', recall.maxDistance, calibration.maxDistance, { min: 0, max: 2 }),
      minCoverage: number('recall.minCoverage', recall.minCoverage, calibration.minCoverage, share),
      minScore: calibration.minScore,
      denseWeight: number('recall.denseWeight', recall.denseWeight, calibration.denseWeight, share),
      embedTimeoutMs: number('recall.embedTimeoutMs', recall.embedTimeoutMs, 800, duration),
      prior: resolvePrior(recall),
      touch: flag('recall.touch', recall.touch, true),
    },
    limits: {
      contentLength: number('limits.contentLength', limits.contentLength, CONTENT_MAX, {
        min: 1,
        max: CONTENT_CEILING,
        whole: true,
      }),
      queryLength: number('limits.queryLength', limits.queryLength, 2_000, size),
      metadataBytes: number('limits.metadataBytes', limits.metadataBytes, 16_384, size),
      batchSize: number('limits.batchSize', limits.batchSize, 10_000, size),
      turnMessages: number('limits.turnMessages', limits.turnMessages, 100, size),
      contextMessages: number('limits.contextMessages', limits.contextMessages, 20, { ...size, min: 0 }),
      messageLength: number('limits.messageLength', limits.messageLength, 32_000, size),
      candidates: number('limits.candidates', limits.candidates, 50, size),
    },
    observation: {
      consolidation,
      mergeTurns: number('observation.mergeTurns', observation.mergeTurns, debounce ? DEBOUNCED_MERGE : 1, {
        min: 1,
        max: 50,
        whole: true,
      }),
      debounce,
      gate: resolveGate(observation.gate),
      keepFailedTurns: numberOrNull('observation.keepFailedTurns', observation.keepFailedTurns, 7, {
        min: 0,
        max: 36_500,
      }),
      keepTurns: numberOrNull('observation.keepTurns', observation.keepTurns, 90, { min: 1, max: 36_500 }),
      neighbours: number('observation.neighbours', observation.neighbours, 10, { min: 1, max: 20, whole: true }),
      leaseMs,
      modelTimeoutMs,
      maxFailures: number('observation.maxFailures', observation.maxFailures, 5, size),
      maxAttempts: number('observation.maxAttempts', observation.maxAttempts, 10, size),
      retryDelayMs: number('observation.retryDelayMs', observation.retryDelayMs, 2_000, duration),
      sweepIntervalMs: number('observation.sweepIntervalMs', observation.sweepIntervalMs, 5_000, {
        min: 0,
        max: 3_600_000,
        whole: true,
      }),
      shutdownGraceMs: number('observation.shutdownGraceMs', observation.shutdownGraceMs, 5_000, {
        min: 0,
        max: 600_000,
        whole: true,
      }),
    },
    circuit: resolveCircuit(values.circuit),
    retention: {
      versions: numberOrNull('retention.versions', retention.versions, 20, { min: 0, max: 10_000, whole: true }),
      days: numberOrNull('retention.days', retention.days, 365, { min: 1, max: 36_500, whole: true }),
      upkeepIntervalMs: number('retention.upkeepIntervalMs', retention.upkeepIntervalMs, 60_000, {
        min: 0,
        max: 86_400_000,
        whole: true,
      }),
    },
  };
}
