import type * as api from '@opentelemetry/api';

/** The whole module, loaded: it is an optional peer, so nothing of it may be imported but types. */
export type OpenTelemetryApi = typeof api;

/** Our name among the instrumentations of an app. */
export const INSTRUMENTATION = 'nestjs-engram';

/** Null where it is not installed. */
export async function loadOpenTelemetryApi(): Promise<OpenTelemetryApi | null> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    const { code } = Object(error) as { code?: unknown };
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}
