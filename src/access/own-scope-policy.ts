import { ACCESS_ACTIONS } from './access-policy.js';
import type { AccessPolicy, ScopeGrant } from './access-policy.js';
import { ownScope } from './identity.js';
import type { Identity } from './identity.js';

/** The default: a subject owns the scope `user:<subject>` of its tenant, and nothing else. */
export class OwnScopePolicy implements AccessPolicy {
  grants(identity: Identity): readonly ScopeGrant[] {
    return [{ scope: ownScope(identity), actions: ACCESS_ACTIONS }];
  }
}
