import { EngramError } from '../errors/engram-error.js';
import { UnavailableError } from '../errors/unavailable-error.js';
import { changedEvent } from '../memory/changed-event.js';
import { embedTexts } from '../memory/embed-texts.js';
import type { MemoryContext } from '../memory/memory-context.js';
import { screen } from '../memory/prepare-memory.js';
import { rejectedEvent } from '../memory/rejected-event.js';
import { errorClass, measured } from '../memory/telemetry.js';
import { DeadlineError, withDeadline } from '../memory/with-deadline.js';
import type { ScopeLock } from '../memory/commit-order.js';
import { tellInOrder, writeInOrder } from '../memory/write-in-order.js';
import type { AppliedDecision, Candidate, DecisionAction } from '../model/decision.js';
import type { Scope } from '../model/scope.js';
import type { ClaimedTurn, ScopeWriter } from '../storage/memory-store.js';
import { applyDecisions, lockTargets } from './apply-decisions.js';
import type { AppliedChange, ReadyDecision } from './apply-decisions.js';
import type { TokenTally } from './ask-model.js';
import { consolidate, neighbourQuery, neighboursOf, noCounts } from './consolidator/consolidate.js';
import type { Consolidated, EmbeddedCandidate } from './consolidator/consolidate.js';
import { decideByRules } from './consolidator/heuristic/decide-by-rules.js';
import { sameNeighbours } from './consolidator/neighbour.js';
import { extract } from './extractor/extract.js';
import { foldCandidates } from './fold-candidates.js';
import { judgeFailure } from './retry-rules.js';
import type { FailureVerdict } from './retry-rules.js';
import { TurnBatch } from './turn-batch.js';
import type { TakenTurn } from './turn-batch.js';

/** How often neighbours that moved are weighed again outside the lock, before the rules decide under it. */
const CONSOLIDATION_ROUNDS = 2;

/** The fence was lost: somebody else has a turn, or an erasure removed it. Nothing may be written any more. */
class ClaimLostError extends Error {}

/** The neighbours of these candidates moved between the look and the lock. */
class NeighboursMovedError extends Error {
  constructor(readonly moved: readonly number[]) {
    super('Neighbours moved.');
  }
}

interface Screened {
  readonly candidates: readonly EmbeddedCandidate[];
  /** By the place of the turn, how many of its candidates may not be kept. */
  readonly rejected: readonly number[];
}

/** A host's policy or redactor that hangs is given up: the heartbeat would else keep the claim, and the scope, for ever. */
async function inTime<T>(context: MemoryContext, work: () => Promise<T>): Promise<T> {
  const { modelTimeoutMs } = context.settings.observation;
  try {
    return await withDeadline(modelTimeoutMs, work);
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    throw new UnavailableError(
      `The app's policy or redactor gave no answer within ${modelTimeoutMs} ms. The turn is kept and tried again.`,
    );
  }
}

/** What of the candidates may be kept, embedded. */
async function screenCandidates(
  context: MemoryContext,
  scope: Scope,
  batch: TurnBatch,
  candidates: readonly Candidate[],
): Promise<Screened> {
  const kept: Candidate[] = [];
  const rejected = batch.turns.map(() => 0);
  for (const candidate of candidates) {
    const about = { kind: candidate.kind, source: 'observed' } as const;
    const { content, rejection } = await inTime(context, () =>
      screen(context, { content: candidate.content, ...about }),
    );
    if (content !== null) kept.push({ ...candidate, content });
    else {
      const { place } = batch.locate(candidate.messageNo);
      rejected[place] = (rejected[place] ?? 0) + 1;
      context.events.publish('memory.rejected', rejectedEvent(context, scope, rejection, about));
    }
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
    rejected,
  };
}

/** Checks and embeds the new text of updates that differ from their candidate's. One that may not be kept falls back to the candidate. */
async function ready(context: MemoryContext, consolidated: readonly Consolidated[]): Promise<(ReadyDecision | null)[]> {
  const results: (ReadyDecision | null)[] = [];
  for (const { decision, vector, candidate } of consolidated) {
    if (!decision) results.push(null);
    else if (decision.action !== 'update' || decision.content === candidate.content) results.push({ decision, vector });
    else {
      const { content } = await inTime(context, () =>
        screen(context, { content: decision.content, kind: candidate.kind, source: 'observed' }),
      );
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

interface AppliedTurn {
  readonly turn: TakenTurn;
  readonly status: 'applied' | 'nothing' | 'rejected' | 'disabled';
  readonly decisions: readonly AppliedDecision[];
  readonly changes: readonly AppliedChange[];
  readonly rejected: number;
}

interface Applied {
  readonly turns: readonly AppliedTurn[];
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

interface Decided {
  readonly consolidated: readonly Consolidated[];
  /** One for each of `consolidated`. */
  readonly decisions: readonly (ReadyDecision | null)[];
  /** Of the scope, before the first neighbour was read. */
  readonly revision: number;
}

/** Said before the erasure: handed in or worked on late, it must not bring back what was erased. */
function isErased({ generation, erasedAt }: ScopeWriter['state'], turn: TakenTurn): boolean {
  return generation !== turn.generation || (erasedAt !== null && turn.saidAt.getTime() < erasedAt.getTime());
}

/** The decisions of one turn, naming its own messages. */
function decisionsOf(batch: TurnBatch, place: number, decided: Decided): ReadyDecision[] {
  const own: ReadyDecision[] = [];
  for (const [index, { candidate }] of decided.consolidated.entries()) {
    const ready = decided.decisions[index];
    const located = batch.locate(candidate.messageNo);
    if (!ready || located.place !== place) continue;
    const { decision } = ready;
    own.push({
      ...ready,
      decision: { ...decision, candidate: { ...decision.candidate, messageNo: located.messageNo } },
    });
  }
  return own;
}

/** The one transaction of a claim, and its events. @throws ClaimLostError, NeighboursMovedError */
function commit(
  context: MemoryContext,
  scope: Scope,
  batch: TurnBatch,
  decided: Decided,
  { rejected, lastRound }: { rejected: readonly number[]; lastRound: boolean },
): Promise<Applied> {
  const write = async (writer: ScopeWriter): Promise<Applied> => {
    const locked = new Map((await writer.lockClaimedTurns(batch.claim)).map((turn) => [turn.turnId, turn]));
    // All or none: one that is gone was claimed anew, alone, and the model's answer was about all of them.
    if (locked.size !== batch.turns.length || !batch.turns.every(({ turnId }) => locked.has(turnId)))
      throw new ClaimLostError();
    const { enabled } = writer.state;
    const counts = enabled && batch.turns.some((turn) => !isErased(writer.state, turn));
    const decisions = [...decided.decisions];
    if (counts && writer.state.revision !== decided.revision) {
      const changed = await moved(context, writer, decided.consolidated);
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
    if (counts)
      await lockTargets(
        writer,
        decisions.filter((ready) => ready !== null),
      );
    const touched = new Set<string>();
    const turns: AppliedTurn[] = [];
    for (const [place, turn] of batch.turns.entries()) {
      const refused = rejected[place] ?? 0;
      const isGone = isErased(writer.state, turn);
      const { applied, changes } =
        enabled && !isGone
          ? await applyDecisions(
              writer,
              locked.get(turn.turnId) ?? turn,
              decisionsOf(batch, place, { ...decided, decisions }),
              touched,
            )
          : { applied: [], changes: [] };
      const kept = applied.length > 0 ? 'applied' : refused > 0 ? 'rejected' : 'nothing';
      const status = !enabled ? 'disabled' : isGone ? 'rejected' : kept;
      await writer.finishTurn(batch.claim, turn.turnId, { status, decisions: applied });
      turns.push({ turn, status, decisions: applied, changes, rejected: refused });
    }
    return { turns, stamp: writer.stamp };
  };
  return writeInOrder(context, scope, write, (applied) => publishApplied(context, scope, applied));
}

/** Consolidates and commits; what moved meanwhile is weighed again, a bounded number of times. */
async function consolidateAndCommit(
  context: MemoryContext,
  scope: Scope,
  batch: TurnBatch,
  screened: Screened,
  tally: TokenTally,
): Promise<Applied> {
  const state = await context.store.scopeState(scope);
  // Erased or switched off during extraction: no further model sees the text, and the commit says how the turns end.
  const isOpen = state.enabled && batch.turns.some((turn) => state.generation === turn.generation);
  const candidates = isOpen ? screened.candidates : [];
  let { revision } = state;
  let consolidated = [...(await consolidate(context, scope, candidates, tally))];
  let decisions = await ready(context, consolidated);
  for (let round = 0; ; round += 1) {
    try {
      return await commit(
        context,
        scope,
        batch,
        { consolidated, decisions, revision },
        { rejected: screened.rejected, lastRound: round === CONSOLIDATION_ROUNDS },
      );
    } catch (error) {
      if (!(error instanceof NeighboursMovedError)) throw error;
      const { moved: indexes } = error;
      ({ revision } = await context.store.scopeState(scope));
      const again = await consolidate(
        context,
        scope,
        candidates.filter((_, index) => indexes.includes(index)),
        tally,
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

async function recordFailure(
  context: MemoryContext,
  scope: Scope,
  batch: TurnBatch,
  errorCode: string,
  verdict: FailureVerdict,
): Promise<void> {
  const fail = (onLocked: (as: ScopeLock) => void): Promise<boolean> =>
    context.store.turns.fail(scope, batch.claim, { errorCode, ...verdict }, (isAlone) =>
      onLocked(isAlone ? 'write' : 'beside'),
    );
  await tellInOrder(context, scope, 'beside', fail, (held) => {
    if (!held) return;
    for (const { turnId } of batch.turns) {
      context.events.publish('observation.failed', {
        ...scope,
        at: context.clock.now().toISOString(),
        turnId,
        error: errorCode,
        willRetry: !verdict.dead,
      });
    }
  });
}

function countsOf(decisions: readonly AppliedDecision[]): Record<DecisionAction, number> {
  const counts = noCounts();
  for (const { action } of decisions) counts[action] += 1;
  return counts;
}

function publishApplied(context: MemoryContext, scope: Scope, { turns, stamp }: Applied): void {
  for (const { turn, status, decisions, changes, rejected } of turns) {
    const { turnId } = turn;
    for (const { event, memory } of changes) context.events.publish(event, changedEvent(scope, memory, stamp, turnId));
    context.events.publish('observation.applied', {
      ...scope,
      at: stamp.toISOString(),
      turnId,
      status,
      counts: countsOf(decisions),
      rejected,
    });
  }
}

/**
 * Applies the turns of one claim: extract, screen, consolidate, commit, then publish. Their failure goes into their rows.
 * @param options.signal aborted when the process stops; what fails from then on is no failure of the turns
 * @throws what is no fault of the turns and cannot be recorded (the database is gone); the lease then runs out
 */
export async function runTurn(
  context: MemoryContext,
  scope: Scope,
  claimed: ClaimedTurn,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const batch = new TurnBatch(claimed);
  const beat = heartbeat(context, scope, batch.claim);
  try {
    if (claimed.attempt - claimed.givenBack > context.settings.observation.maxAttempts) {
      const failures = claimed.failures + 1;
      await recordFailure(context, scope, batch, 'CRASHED', { dead: true, failures, delayMs: 0 });
      return;
    }
    const { attempt } = claimed;
    const detail = {
      turns: batch.turns.length,
      candidates: 0,
      rejected: 0,
      gated: false,
      attempt,
      counts: noCounts(),
      // Counted while the calls are made: those of a turn that fails were paid for too.
      inputTokens: 0,
      outputTokens: 0,
    };
    await measured(
      context,
      'engram.turn',
      scope,
      detail,
      async () => {
        const candidates = await extract(context, scope, batch.input, detail);
        detail.gated = candidates === null;
        detail.candidates = candidates?.length ?? 0;
        const screened = await screenCandidates(context, scope, batch, candidates ?? []);
        detail.rejected = screened.rejected.reduce((sum, count) => sum + count, 0);
        return consolidateAndCommit(context, scope, batch, screened, detail);
      },
      ({ turns }) => ({ ...detail, counts: countsOf(turns.flatMap(({ decisions }) => decisions)) }),
    );
  } catch (error) {
    if (error instanceof ClaimLostError || (error instanceof EngramError && error.code === 'CONFLICT')) {
      // What is left of a claim that lost one of its turns need not wait for the lease to run out.
      if (batch.turns.length > 1) await context.store.turns.release(scope, batch.claim);
      return;
    }
    if (signal?.aborted) return;
    await recordFailure(
      context,
      scope,
      batch,
      errorClass(error),
      judgeFailure(context.settings.observation, batch.turns, error),
    );
  } finally {
    beat.stop();
  }
}
