import { InvalidScopeError } from '../errors/invalid-scope-error.js';
import { codePointLength, unstorableCharacter } from '../model/content.js';
import { SCOPE_MAX, TENANT_ID_MAX } from '../model/scope.js';
import type { Scope } from '../model/scope.js';

function part(field: 'tenantId' | 'scope', value: unknown, max: number): string {
  if (typeof value !== 'string') {
    const got = value === null ? 'null' : typeof value;
    throw new InvalidScopeError(
      field,
      `${field} must be a string, got ${got}. Take it from the caller's identity and convert it yourself.`,
    );
  }
  if (value.trim() === '')
    throw new InvalidScopeError(
      field,
      `${field} is empty. There is no call that means "everyone": name whose memory it is.`,
    );
  const length = codePointLength(value);
  if (length > max)
    throw new InvalidScopeError(
      field,
      `${field} has ${length} characters, at most ${max} are allowed. Use an id, not a description.`,
    );
  const unstorable = unstorableCharacter(value);
  if (unstorable)
    throw new InvalidScopeError(field, `${field} contains a ${unstorable}, which Postgres cannot store. Remove it.`);
  return value;
}

/**
 * A scope that can be trusted, copied and frozen so that the caller cannot change it afterwards.
 * @throws InvalidScopeError for anything but two non-blank strings within their lengths
 */
export function validateScope(scope: unknown): Scope {
  if (typeof scope !== 'object' || scope === null) {
    throw new InvalidScopeError('scope', 'A scope { tenantId, scope } is required: name whose memory it is.');
  }
  const { tenantId, scope: name } = scope as Partial<Record<keyof Scope, unknown>>;
  return Object.freeze({ tenantId: part('tenantId', tenantId, TENANT_ID_MAX), scope: part('scope', name, SCOPE_MAX) });
}
