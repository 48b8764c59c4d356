import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { DataPoint, MetricData } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/** The SDK of an app, which keeps in memory what it would send away. */
export class OpenTelemetrySdk {
  private readonly spanExporter = new InMemorySpanExporter();
  private readonly metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  private readonly reader = new PeriodicExportingMetricReader({
    exporter: this.metricExporter,
    exportIntervalMillis: 3_600_000,
  });
  private readonly meters = new MeterProvider({ readers: [this.reader] });

  constructor() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.spanExporter)] }),
    );
    metrics.setGlobalMeterProvider(this.meters);
  }

  /** Those that ended, in the order of their ends. */
  spans(): ReadableSpan[] {
    return this.spanExporter.getFinishedSpans();
  }

  /** Each span as the path of names from its root, `>` between them; sorted. */
  paths(): string[] {
    const spans = this.spans();
    const pathOf = (span: ReadableSpan): string => {
      const parent = spans.find((one) => one.spanContext().spanId === span.parentSpanContext?.spanId);
      return parent ? `${pathOf(parent)} > ${span.name}` : span.name;
    };
    return spans.map(pathOf).sort();
  }

  /** What was measured since the start. */
  async metrics(): Promise<MetricData[]> {
    this.metricExporter.reset();
    await this.meters.forceFlush();
    return this.metricExporter.getMetrics().flatMap((all) => all.scopeMetrics.flatMap((scope) => scope.metrics));
  }

  async points(name: string): Promise<DataPoint<unknown>[]> {
    const named = (await this.metrics()).filter(({ descriptor }) => descriptor.name === name);
    return named.flatMap(({ dataPoints }) => dataPoints as DataPoint<unknown>[]);
  }

  /** Runs the work in a span of the app's own. */
  inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
    return trace.getTracer('the app').startActiveSpan(name, async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    });
  }

  reset(): void {
    this.spanExporter.reset();
  }

  async stop(): Promise<void> {
    await this.meters.shutdown();
    for (const api of [context, trace, metrics]) api.disable();
  }
}
