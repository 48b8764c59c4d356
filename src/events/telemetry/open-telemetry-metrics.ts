import type { Counter, Histogram, Meter, ObservableGauge, ObservableResult } from '@opentelemetry/api';
import type { ObservationQueue } from '../../queue/observation-queue.js';
import type { MemoryEvent, MemoryEventMap } from '../event-map.js';
import { modelCallAttributes, tokensOf } from './model-call.js';
import type { ModelCallEvent } from './model-call.js';

/** Upper bounds in seconds and tokens, as OpenTelemetry's conventions for generative AI ask for them. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);
/** Ours begin lower: a recall takes milliseconds. */
const FAST_SECONDS = [0.001, 0.0025, 0.005, ...SECONDS];

type Queue = Pick<ObservationQueue, 'adapter' | 'depth'>;

/** Counts and measures what the events tell. No scope is named: each would be a time series of its own. */
export class OpenTelemetryMetrics {
  private readonly operationDuration: Histogram;
  private readonly modelDuration: Histogram;
  private readonly tokenUsage: Histogram;
  private readonly changes: Counter;
  private readonly rejections: Counter;
  private readonly turns: Counter;
  private readonly recalled: Histogram;
  private readonly degraded: Counter;
  private readonly circuits: Counter;
  private readonly depth: ObservableGauge;

  constructor(
    meter: Meter,
    private readonly queue: Queue,
  ) {
    this.operationDuration = meter.createHistogram('engram.operation.duration', {
      description: 'Time of recalls, adds, observations and their parts.',
      unit: 's',
      advice: { explicitBucketBoundaries: FAST_SECONDS },
    });
    this.modelDuration = meter.createHistogram('gen_ai.client.operation.duration', {
      description: 'Time of calls to the embedder and the completion.',
      unit: 's',
      advice: { explicitBucketBoundaries: SECONDS },
    });
    this.tokenUsage = meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Tokens of calls to the embedder and the completion.',
      unit: '{token}',
      advice: { explicitBucketBoundaries: TOKENS },
    });
    this.changes = meter.createCounter('engram.memory.changes', {
      description: 'Memories that were added, updated, forgotten, restored or expired.',
      unit: '{memory}',
    });
    this.rejections = meter.createCounter('engram.memory.rejections', {
      description: 'Memories that were not kept.',
      unit: '{memory}',
    });
    this.turns = meter.createCounter('engram.turns', {
      description: 'Turns that ended, and tries that failed.',
      unit: '{turn}',
    });
    this.recalled = meter.createHistogram('engram.recall.results', {
      description: 'Memories that a recall found.',
      unit: '{memory}',
      advice: { explicitBucketBoundaries: [0, 1, 2, 3, 5, 10, 20, 50, 100] },
    });
    this.degraded = meter.createCounter('engram.recall.degraded', {
      description: 'Recalls that words alone answered.',
      unit: '{recall}',
    });
    this.circuits = meter.createCounter('engram.circuit.changes', {
      description: 'Providers that were given up, probed or asked again.',
      unit: '{change}',
    });
    this.depth = meter.createObservableGauge('engram.queue.depth', {
      description: 'Wake-ups that wait in the queue.',
      unit: '{wake-up}',
    });
    if (queue.depth) this.depth.addCallback(this.observeDepth);
  }

  stop(): void {
    this.depth.removeCallback(this.observeDepth);
  }

  readonly hear = ({ name, payload }: MemoryEvent): void => {
    switch (name) {
      case 'memory.added':
      case 'memory.updated':
      case 'memory.forgotten':
      case 'memory.restored':
      case 'memory.expired':
        this.changes.add(1, {
          'engram.change': name.slice('memory.'.length),
          'engram.kind': payload.kind,
          'engram.source': payload.source,
        });
        return;
      case 'memory.rejected':
        this.rejections.add(1, { 'engram.reason': payload.reason, 'engram.source': payload.source });
        return;
      case 'observation.applied':
        this.turns.add(1, { 'engram.status': payload.status });
        return;
      case 'observation.failed':
        this.turns.add(1, { 'engram.status': payload.willRetry ? 'failed' : 'dead', 'error.type': payload.error });
        return;
      case 'engram.circuit':
        this.circuits.add(1, { 'engram.provider': payload.provider, 'engram.state': payload.state });
        return;
      case 'engram.embed':
      case 'engram.complete':
        this.measureModel(name, payload);
        return;
      case 'engram.recall':
        this.recalled.record(payload.count, { 'engram.mode': payload.mode });
        if (payload.degraded) this.degraded.add(1, { 'engram.mode': payload.mode });
        break;
      case 'memory.erased':
      case 'memory.settings-changed':
      case 'observation.queued':
        return;
      default:
    }
    const { durationMs, store, error } = payload;
    this.operationDuration.record(durationMs / 1_000, {
      'engram.operation': name.slice('engram.'.length),
      'engram.store': store,
      ...(error !== undefined && { 'error.type': error }),
    });
  };

  private measureModel(name: ModelCallEvent, payload: MemoryEventMap[ModelCallEvent]): void {
    const { provider, durationMs, error } = payload;
    const attributes = modelCallAttributes(name, provider);
    this.modelDuration.record(durationMs / 1_000, {
      ...attributes,
      ...(error !== undefined && { 'error.type': error }),
    });
    for (const [type, tokens] of Object.entries(tokensOf(payload))) {
      if (tokens > 0) this.tokenUsage.record(tokens, { ...attributes, 'gen_ai.token.type': type });
    }
  }

  /** A queue that cannot tell now has no depth now. */
  private readonly observeDepth = async (result: ObservableResult): Promise<void> => {
    try {
      const depth = await this.queue.depth?.();
      if (depth !== undefined) result.observe(depth, { 'engram.queue': this.queue.adapter });
    } catch {
      return;
    }
  };
}
