import { EngramError } from '../errors/engram-error.js';
import { ProviderError } from '../errors/provider-error.js';
import { changedEvent } from '../memory/changed-event.js';
import { embedTexts } from '../memory/embed-texts.js';
import type { MemoryContext } from '../memory/memory-context.js';
import { screen } from '../memory/prepare-memory.js';
import { rejectedEvent } from '../memory/rejected-event.js';
import { errorClass } from '../memory/telemetry.js';
import type { AppliedDecision, Candidate } from '../model/decision.js';
import type { Scope } from '../model/scope.js';
import type { ClaimedTurn, ScopeWriter } from '../storage/memory-store.js';
import { applyDecisions } from './apply-decisions.js';
import type { AppliedChange, ReadyDecision } from './apply-decisions.js';
import { consolidate, decideByRules, neighbourQuery, neighboursOf, noCounts } from './consolidator/consolidate.js';
import type { Consolidated, EmbeddedCandidate } from './consolidator/consolidate.js';
import { sameNeighbours } from './consolidator/neighbour.js';
import { extract } from './extractor/extract.js';
import { foldCandidates } from './fold-candidates.js';

/** How often neighbours that moved are weighed again outside the lock, before the rules decide under it. */
const CONSOLIDATION_ROUNDS = 2;

/** Longest wait between two tries, in milliseconds. */
const RETRY_DELAY_MAX = 10 * 60_000;

/** Longest `Retry-After` that is obeyed, in milliseconds: a day, after which a quota of any provider is a new one. */
const RETRY_AFTER_MAX = 24 * 60 * 60_000;

/** The fence was lost: somebody else has the turn, or an erasure removed it. Nothing may be written any more. */
class ClaimLostError extends Error {}

/** The neighbours of these candidates moved between the look and the lock. */
class NeighboursMovedError extends Error {
  constructor(readonly moved: readonly number[]) {
    super('Neighbours moved.');
  }
}

interface Screened {
  readonly candidates: readonly EmbeddedCandidate[];
  readonly rejected: number;
}

/** What of the candidates may be kept, embedded. */
async function screenCandidates(
  context: MemoryContext,
  scope: Scope,
  candidates: readonly Candidate[],
): Promise<Screened> {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    const about = { kind: candidate.kind, source: 'observed' } as const;
    const { content, rejection } = await screen(context, { content: candidate.content, ...about });
    if (content !== null) kept.push({ ...candidate, content });
    else context.events.publish('memory.rejected', rejectedEvent(context, scope, rejection, about));
  }
  const folded = foldCandidates(kept);
  const vectors = await embedTexts(
    context.embedder,
    folded.map(({ content }) => content),
  );
  return {
    candidates: folded.map((candidate, index) => ({
      candidate,
      vector: vectors[index] ?? { space: context.embedder.space, values: [] },
    })),
    rejected: candidates.length - kept.length,
  };
}

/** Checks and embeds the new text of updates that differ from their candidate's. One that may not be kept falls back to the candidate. */
async function ready(context: MemoryContext, consolidated: readonly Consolidated[]): Promise<(ReadyDecision | null)[]> {
  const results: (ReadyDecision | null)[] = [];
  for (const { decision, vector, candidate } of consolidated) {
    if (!decision) results.push(null);
    else if (decision.action !== 'update' || decision.content === candidate.content) results.push({ decision, vector });
    else {
      const { content } = await screen(context, {
        content: decision.content,
        kind: candidate.kind,
        source: 'observed',
      });
      if (content === null || content === candidate.content)
        results.push({ decision: { ...decision, content: candidate.content }, vector });
      else {
        const [own] = await embedTexts(context.embedder, [content]);
        results.push({ decision: { ...decision, content }, vector: own ?? vector });
      }
    }
  }
  return results;
}

interface Applied {
  readonly decisions: readonly AppliedDecision[];
  readonly changes: readonly AppliedChange[];
  readonly status: 'applied' | 'nothing' | 'rejected' | 'disabled';
  readonly stamp: Date;
}

async function moved(
  context: MemoryContext,
  writer: ScopeWriter,
  consolidated: readonly Consolidated[],
): Promise<{ index: number; now: Consolidated }[]> {
  const results: { index: number; now: Consolidated }[] = [];
  for (const [index, before] of consolidated.entries()) {
    const neighbours = neighboursOf(await writer.recall(neighbourQuery(context, before)));
    if (!sameNeighbours(before.neighbours, neighbours)) {
      results.push({ index, now: { ...before, neighbours, decision: decideByRules(before.candidate, neighbours) } });
    }
  }
  return results;
}

/** The one transaction of a turn. @throws ClaimLostError, NeighboursMovedError */
function commit(
  context: MemoryContext,
  scope: Scope,
  turn: ClaimedTurn,
  revision: number,
  consolidated: readonly Consolidated[],
  readyDecisions: readonly (ReadyDecision | null)[],
  { rejected, lastRound }: { rejected: number; lastRound: boolean },
): Promise<Applied> {
  return context.store.write(scope, async (writer): Promise<Applied> => {
    const locked = await writer.lockClaimedTurns(turn.claim);
    if (!locked.some(({ turnId }) => turnId === turn.turnId)) throw new ClaimLostError();
    const finish = async (
      status: Applied['status'],
      decisions: readonly AppliedDecision[],
      changes: readonly AppliedChange[],
    ): Promise<Applied> => {
      await writer.finishTurn(turn.claim, turn.turnId, { status, decisions });
      return { status, decisions, changes, stamp: writer.stamp };
    };
    if (!writer.state.enabled) return finish('disabled', [], []);
    // Said before the erasure: handed in or worked on late, it must not bring back what was erased.
    const { generation, erasedAt } = writer.state;
    if (generation !== turn.generation || (erasedAt && turn.occurredAt.getTime() < erasedAt.getTime())) {
      return finish('rejected', [], []);
    }

    const decisions = [...readyDecisions];
    if (writer.state.revision !== revision) {
      const changed = await moved(context, writer, consolidated);
      if (changed.length > 0 && !lastRound) throw new NeighboursMovedError(changed.map(({ index }) => index));
      for (const { index, now } of changed) {
        const { decision, vector, candidate } = now;
        // No embedding under the lock: the candidate's own text has a vector already.
        decisions[index] = decision && {
          decision: decision.action === 'update' ? { ...decision, content: candidate.content } : decision,
          vector,
        };
      }
    }
    const { applied, changes } = await applyDecisions(
      writer,
      turn,
      decisions.filter((decision) => decision !== null),
    );
    const status = applied.length > 0 ? 'applied' : rejected > 0 ? 'rejected' : 'nothing';
    return finish(status, applied, changes);
  });
}

/** Consolidates and commits; what moved meanwhile is weighed again, a bounded number of times. */
async function consolidateAndCommit(
  context: MemoryContext,
  scope: Scope,
  turn: ClaimedTurn,
  screened: Screened,
): Promise<Applied> {
  const state = await context.store.scopeState(scope);
  // Erased or switched off during extraction: no further model sees the text, and the commit says how the turn ends.
  const candidates = state.enabled && state.generation === turn.generation ? screened.candidates : [];
  let { revision } = state;
  let consolidated = [...(await consolidate(context, scope, candidates))];
  let decisions = await ready(context, consolidated);
  for (let round = 0; ; round += 1) {
    try {
      return await commit(context, scope, turn, revision, consolidated, decisions, {
        rejected: screened.rejected,
        lastRound: round === CONSOLIDATION_ROUNDS,
      });
    } catch (error) {
      if (!(error instanceof NeighboursMovedError)) throw error;
      const { moved: indexes } = error;
      ({ revision } = await context.store.scopeState(scope));
      const again = await consolidate(
        context,
        scope,
        candidates.filter((_, index) => indexes.includes(index)),
      );
      const decidedAgain = await ready(context, again);
      consolidated = consolidated.map((before, index) => again[indexes.indexOf(index)] ?? before);
      decisions = decisions.map((before, index) =>
        indexes.includes(index) ? (decidedAgain[indexes.indexOf(index)] ?? null) : before,
      );
    }
  }
}

/** Renews the lease until stopped. */
function heartbeat(context: MemoryContext, scope: Scope, claim: string): { stop(): void } {
  const { leaseMs } = context.settings.observation;
  const timer = setInterval(() => {
    // A renewal that fails is told by the fence at commit; there is nobody else to tell.
    context.store.turns.renew(scope, claim, leaseMs).catch(() => undefined);
  }, leaseMs / 3).unref();
  return { stop: () => clearInterval(timer) };
}

function retryDelay(context: MemoryContext, turn: ClaimedTurn, error: unknown): number {
  const asked = error instanceof ProviderError ? Math.min(RETRY_AFTER_MAX, error.retryAfterMs || 0) : 0;
  const { retryDelayMs } = context.settings.observation;
  const backoff = Math.min(RETRY_DELAY_MAX, retryDelayMs * 2 ** turn.failures);
  // Partly random, so that turns that failed together do not come back together: not before what was asked for, and
  // over a while after it, since all of them were told the same time.
  return Math.max(asked * (1 + Math.random() / 4), backoff * (0.5 + Math.random() / 2));
}

async function recordFailure(context: MemoryContext, scope: Scope, turn: ClaimedTurn, error: unknown): Promise<void> {
  const { maxFailures } = context.settings.observation;
  const hopeless =
    error instanceof ProviderError && !error.retryable && error.fault !== 'unauthorized' && error.fault !== 'quota';
  // Not the turn's: the provider was not even asked about it.
  const counted = !(error instanceof ProviderError && error.fault === 'circuit-open');
  const dead = hopeless || (counted && turn.failures + 1 >= maxFailures);
  const errorCode = errorClass(error);
  const held = await context.store.turns.fail(scope, turn.claim, {
    errorCode,
    delayMs: retryDelay(context, turn, error),
    dead,
    counted,
  });
  if (!held) return;
  context.events.publish('observation.failed', {
    ...scope,
    at: context.clock.now().toISOString(),
    turnId: turn.turnId,
    error: errorCode,
    willRetry: !dead,
  });
}

/**
 * Applies one claimed turn: extract, screen, consolidate, commit, then publish. Its failure goes into its row.
 * @param options.signal aborted when the process stops; what fails from then on is no failure of the turn
 * @throws what is no fault of the turn and cannot be recorded (the database is gone); the lease then runs out
 */
export async function runTurn(
  context: MemoryContext,
  scope: Scope,
  turn: ClaimedTurn,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const beat = heartbeat(context, scope, turn.claim);
  try {
    if (turn.attempt - turn.givenBack > context.settings.observation.maxAttempts) {
      await context.store.turns.fail(scope, turn.claim, { errorCode: 'CRASHED', delayMs: 0, dead: true });
      return;
    }
    const candidates = await extract(context, scope, {
      messages: turn.messages,
      occurredAt: turn.occurredAt,
      timeZone: turn.timeZone,
    });
    const screened = await screenCandidates(context, scope, candidates);
    const { decisions, changes, status, stamp } = await consolidateAndCommit(context, scope, turn, screened);
    for (const { event, memory } of changes)
      context.events.publish(event, changedEvent(scope, memory, stamp, turn.turnId));
    const counts = noCounts();
    for (const { action } of decisions) counts[action] += 1;
    context.events.publish('observation.applied', {
      ...scope,
      at: stamp.toISOString(),
      turnId: turn.turnId,
      status,
      counts,
      rejected: screened.rejected,
    });
  } catch (error) {
    if (error instanceof ClaimLostError || (error instanceof EngramError && error.code === 'CONFLICT')) return;
    if (signal?.aborted) return;
    await recordFailure(context, scope, turn, error);
  } finally {
    beat.stop();
  }
}
