import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import { errorClass } from '../../memory/telemetry.js';
import type { MemoryEventMap, TelemetryEventName } from '../event-map.js';
import type { DatabaseCall, Tracing } from '../tracing.js';
import { INSTRUMENTATION } from './open-telemetry-api.js';
import type { OpenTelemetryApi } from './open-telemetry-api.js';
import { describeSpan } from './span-description.js';

/** Makes the spans of the app's OpenTelemetry SDK. Of an error they have the class, never the message. */
export class OpenTelemetryTracing implements Tracing {
  private readonly tracer: Tracer;
  private hasSdk = false;

  constructor(private readonly api: OpenTelemetryApi) {
    // Stands for whatever SDK the app registers, now or later.
    this.tracer = api.trace.getTracer(INSTRUMENTATION);
  }

  follow<N extends TelemetryEventName, T>(
    name: N,
    begun: Partial<MemoryEventMap[N]>,
    work: (ended: (payload: MemoryEventMap[N]) => void) => Promise<T>,
  ): Promise<T> {
    if (this.isOff()) return work(() => undefined);
    const { name: spanName, isCall, attributes } = describeSpan(name, begun);
    return this.inSpan(spanName, isCall, attributes, (span) =>
      work((payload) => {
        if (!span.isRecording()) return;
        span.setAttributes(describeSpan(name, payload).attributes);
        if (payload.error !== undefined) this.fail(span, payload.error);
      }),
    );
  }

  inDatabase<T>({ system, operation, table }: DatabaseCall, work: () => Promise<T>): Promise<T> {
    if (this.isOff()) return work();
    const attributes = { 'db.system.name': system, 'db.operation.name': operation, 'db.collection.name': table };
    return this.inSpan(`${operation} ${table}`, true, attributes, async (span) => {
      try {
        return await work();
      } catch (error) {
        this.fail(span, errorClass(error));
        throw error;
      }
    });
  }

  /** Many packages bring the API along without an SDK behind it: then describing spans is a tenth of a recall for nobody. */
  private isOff(): boolean {
    if (this.hasSdk) return false;
    const { ProxyTracerProvider, trace } = this.api;
    const provider = trace.getTracerProvider();
    this.hasSdk =
      !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(INSTRUMENTATION) !== undefined;
    return !this.hasSdk;
  }

  private inSpan<T>(
    name: string,
    isCall: boolean,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const { SpanKind } = this.api;
    const kind = isCall ? SpanKind.CLIENT : SpanKind.INTERNAL;
    return this.tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
      try {
        return await work(span);
      } finally {
        span.end();
      }
    });
  }

  private fail(span: Span, errorType: string): void {
    span.setAttribute('error.type', errorType);
    span.setStatus({ code: this.api.SpanStatusCode.ERROR });
  }
}
