import type { IncomingHttpHeaders } from 'node:http';
import { UnauthenticatedError } from '../errors/unauthenticated-error.js';
import { codePointLength, unstorableCharacter } from '../model/content.js';
import { SCOPE_MAX, TENANT_ID_MAX } from '../model/scope.js';

/** Who calls, as the host's `identify` says. */
export interface Identity {
  /** 1-128 code points. The only source of a tenant: no argument names one. */
  readonly tenantId: string;
  /** 1-251 code points, so that `user:<subject>` is a scope. */
  readonly subject: string;
  /** From then on the identity counts for nothing. @default never */
  readonly expiresAt?: Date;
}

/** What `identify` gets: the framework's own request object, whose headers are all that this package relies on. */
export interface IdentifiableRequest {
  readonly headers: Readonly<IncomingHttpHeaders>;
  /**
   * What a graphql-ws client sent when it connected; absent for an HTTP request. Claims of the client like its headers,
   * but no proxy has seen them: a header that only a proxy may set is not to be read from here.
   */
  readonly connectionParams?: Readonly<Record<string, unknown>>;
}

/** Finds out who calls. Null: nobody that is known. A throw of an `EngramError` keeps its code, any other is masked. */
export type Identify = (request: IdentifiableRequest) => Identity | null | Promise<Identity | null>;

const OWN_SCOPE_PREFIX = 'user:';
const SUBJECT_MAX = SCOPE_MAX - OWN_SCOPE_PREFIX.length;

/** The scope of a subject's own memories. */
export function ownScope(identity: Identity): string {
  return `${OWN_SCOPE_PREFIX}${identity.subject}`;
}

function part(field: 'tenantId' | 'subject', value: unknown, max: number): string {
  if (typeof value !== 'string') {
    throw new UnauthenticatedError(`The identity's ${field} is not a string. Convert it in "identify".`);
  }
  if (value.trim() === '' || codePointLength(value) > max || unstorableCharacter(value)) {
    throw new UnauthenticatedError(
      `The identity's ${field} must have 1 to ${max} storable characters, not only blanks. Check what "identify" reads it from.`,
    );
  }
  return value;
}

/**
 * A frozen copy of what `identify` gave: nothing unchecked becomes part of a scope.
 * @throws UnauthenticatedError for none, for one that is malformed, and for one that has expired
 */
export function validateIdentity(identity: unknown, now: Date): Identity {
  if (typeof identity !== 'object' || identity === null) {
    throw new UnauthenticatedError('The request carries no identity. Sign in and send it along.');
  }
  const { tenantId, subject, expiresAt } = identity as Partial<Record<keyof Identity, unknown>>;
  const valid = { tenantId: part('tenantId', tenantId, TENANT_ID_MAX), subject: part('subject', subject, SUBJECT_MAX) };
  if (expiresAt === undefined) return Object.freeze(valid);
  if (!(expiresAt instanceof Date) || Number.isNaN(expiresAt.getTime())) {
    throw new UnauthenticatedError('The identity\'s expiresAt is not a valid Date. Convert it in "identify".');
  }
  if (expiresAt <= now) throw new UnauthenticatedError('The identity has expired. Sign in again.');
  return Object.freeze({ ...valid, expiresAt });
}
