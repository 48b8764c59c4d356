import type { ObservationQueue } from '../../queue/observation-queue.js';
import type { MemoryEventListener } from '../event-fan-out.js';
import { noTracing } from '../tracing.js';
import type { Tracing } from '../tracing.js';
import { INSTRUMENTATION, loadOpenTelemetryApi } from './open-telemetry-api.js';
import { OpenTelemetryMetrics } from './open-telemetry-metrics.js';
import { OpenTelemetryTracing } from './open-telemetry-tracing.js';

/** What OpenTelemetry is told while the app runs. */
export interface Telemetry {
  readonly tracing: Tracing;
  stop(): void;
}

/** Spans and metrics where the app has `@opentelemetry/api`; nothing where it has not. */
export async function startTelemetry(
  events: { listen(listener: MemoryEventListener): () => void },
  queue: Pick<ObservationQueue, 'adapter' | 'depth'>,
): Promise<Telemetry> {
  const api = await loadOpenTelemetryApi();
  if (!api) return { tracing: noTracing, stop: () => undefined };
  const tracing = new OpenTelemetryTracing(api);
  // The API has a place for a meter of later only for traces: an app registers its SDK before it starts.
  const meter = api.metrics.getMeter(INSTRUMENTATION);
  if (meter === api.createNoopMeter()) return { tracing, stop: () => undefined };
  const metrics = new OpenTelemetryMetrics(meter, queue);
  const unlisten = events.listen(metrics.hear);
  return {
    tracing,
    stop: () => {
      unlisten();
      metrics.stop();
    },
  };
}
