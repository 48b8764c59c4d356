import type { Completion } from '../completion/completion.js';
import type { Embedder } from '../embedding/embedder.js';
import { ProviderError } from '../errors/provider-error.js';
import type { ProviderFault } from '../errors/provider-error.js';
import type { EventPublisher } from '../events/event-publisher.js';
import type { Tracing } from '../events/tracing.js';
import type { Clock } from '../memory/clock.js';
import type { MemorySettings } from '../memory/memory-context.js';
import { errorClass } from '../memory/telemetry.js';
import { DeadlineError } from '../memory/with-deadline.js';
import { harmlessQuestion } from '../observation/harmless-question.js';
import { ProviderCircuit } from './circuit.js';
import type { CircuitReport, CircuitRules } from './circuit.js';
import { GuardedCompletion } from './guarded-completion.js';
import { GuardedEmbedder } from './guarded-embedder.js';

export interface GuardedProviders {
  readonly embedder: Embedder;
  readonly completion: Completion;
  /** One of the embedder, one of its queries, one of the completion. */
  readonly circuits: readonly ProviderCircuit[];
}

/** What waiting may cure, and what no text is to blame for. */
const FAULTS: ReadonlySet<ProviderFault> = new Set(['timeout', 'rate-limited', 'unavailable']);
/** What only a provider that is there can say. */
const ANSWERS: ReadonlySet<ProviderFault> = new Set(['refused', 'malformed', 'quota', 'unauthorized', 'misconfigured']);

const ofEveryCall: CircuitRules['verdict'] = (error) => {
  if (!(error instanceof ProviderError)) return 'nothing';
  if (FAULTS.has(error.fault)) return error.retryable ? 'fault' : 'nothing';
  return ANSWERS.has(error.fault) ? 'answer' : 'nothing';
};

/** A query's caller waits for a fraction of a second: whatever came within it is an answer, an error too. */
const ofQueries: CircuitRules['verdict'] = (error) => (error instanceof DeadlineError ? 'fault' : 'answer');

/**
 * Puts the time limits and the circuits of this process around the two providers. All scopes share them, since a service
 * that is down is down for all.
 */
export function guardProviders(
  { embedder, completion }: { embedder: Embedder; completion: Completion },
  {
    settings,
    events,
    clock,
    tracing,
  }: { settings: MemorySettings; events: EventPublisher; clock: Clock; tracing: Tracing },
): GuardedProviders {
  const timeoutMs = settings.observation.modelTimeoutMs;
  const circuitOf = (
    provider: string,
    calls: CircuitReport['calls'],
    limits: MemorySettings['circuit'],
    rules: Omit<CircuitRules, 'onChange'>,
  ): ProviderCircuit =>
    new ProviderCircuit(provider, calls, limits, {
      ...rules,
      onChange: (state, error) =>
        events.publish('engram.circuit', {
          provider,
          calls,
          state,
          at: clock.now().toISOString(),
          ...(state === 'open' ? { fault: faultOf(error) } : {}),
        }),
    });

  const circuit = circuitOf(embedder.space, 'all', settings.circuit, {
    verdict: ofEveryCall,
    probe: () => guardedEmbedder.probe(),
  });
  // No longer waits here: a query is only slow to fail for as long as its caller would have waited anyway.
  const queryLimits = { ...settings.circuit, maxOpenMs: settings.circuit.openMs };
  const queryCircuit = circuitOf(embedder.space, 'queries', queryLimits, { verdict: ofQueries });
  const completionCircuit = circuitOf(completion.name, 'all', settings.circuit, {
    verdict: ofEveryCall,
    probe: () => guardedCompletion.ask(harmlessQuestion(clock.now())),
  });
  const guardedEmbedder = new GuardedEmbedder(embedder, {
    timeoutMs,
    circuit,
    queryCircuit,
    measure: (about, call) => {
      const provider = embedder.space;
      return tracing.follow('engram.embed', { provider, ...about }, (ended) =>
        call(({ error, ...outcome }) => {
          const payload = { provider, ...outcome, ...errorOf(error) };
          events.publish('engram.embed', payload);
          ended(payload);
        }),
      );
    },
  });
  const guardedCompletion = new GuardedCompletion(completion, {
    timeoutMs,
    circuit: completionCircuit,
    measure: (task, call) => {
      const provider = completion.name;
      return tracing.follow('engram.complete', { provider, task }, (ended) =>
        call(({ error, ...outcome }) => {
          const payload = { provider, ...outcome, ...errorOf(error) };
          events.publish('engram.complete', payload);
          ended(payload);
        }),
      );
    },
  });
  return {
    embedder: guardedEmbedder,
    completion: guardedCompletion,
    circuits: [circuit, queryCircuit, completionCircuit],
  };
}

/** What was thrown, for an event; `undefined` is nothing. */
function errorOf(error: unknown): { error?: string } {
  if (error === undefined) return {};
  return { error: error instanceof DeadlineError ? 'TIMEOUT' : errorClass(error) };
}

function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderError) return error.fault;
  return error instanceof DeadlineError ? 'timeout' : 'unknown';
}
