import type { Identity } from './identity.js';

/** What can be done in a scope: `erase` is forgetting everything, `administer` switches memory on and off. */
export const ACCESS_ACTIONS = ['read', 'write', 'erase', 'administer'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** Scopes match by equality only; there is no pattern. */
export interface ScopeGrant {
  readonly scope: string;
  readonly actions: readonly AccessAction[];
}

/** Decides which scopes of its own tenant an identity may touch, and how. */
export interface AccessPolicy {
  /** Every grant, the caller's own scope first: that one is meant where a call names none. Empty: no access at all. */
  grants(identity: Identity): readonly ScopeGrant[] | Promise<readonly ScopeGrant[]>;
}
