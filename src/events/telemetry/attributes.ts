import type { Attributes } from '@opentelemetry/api';

/** Fields that OpenTelemetry has a place of its own for. */
const ELSEWHERE = new Set(['durationMs', 'error']);

/**
 * The fields of a telemetry event as `engram.<field>`, counts as `engram.counts.<action>`. They are ids, names and numbers:
 * the event map has no text.
 */
export function attributesOf(payload: object): Attributes {
  const attributes: Attributes = {};
  for (const [field, value] of Object.entries(payload) as [string, unknown][]) {
    if (ELSEWHERE.has(field)) continue;
    const name = `engram.${snakeCase(field)}`;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') attributes[name] = value;
    else if (Array.isArray(value)) attributes[name] = value as string[];
    else
      for (const [key, count] of Object.entries(Object(value) as Record<string, number>))
        attributes[`${name}.${key}`] = count;
  }
  return attributes;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
