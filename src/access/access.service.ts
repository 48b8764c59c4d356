import { ForbiddenError } from '../errors/forbidden-error.js';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import type { Scope } from '../model/scope.js';
import type { AccessAction, AccessPolicy } from './access-policy.js';
import { validateIdentity } from './identity.js';
import type { Identify, IdentifiableRequest, Identity } from './identity.js';

/** Turns a request into the one scope that it may touch. */
export class AccessService {
  /** One request asks `identify` once, however many fields it selects. */
  private readonly identities = new WeakMap<IdentifiableRequest, Promise<unknown>>();
  private readonly fieldCounts = new WeakMap<IdentifiableRequest, number>();

  /** @param fieldsMax most scopes that one request may ask for, so that aliases cannot multiply its work */
  constructor(
    private readonly identify: Identify,
    private readonly policy: AccessPolicy,
    private readonly fieldsMax: number,
  ) {}

  /** @throws UnauthenticatedError */
  async identity(request: IdentifiableRequest): Promise<Identity> {
    let found = this.identities.get(request);
    if (!found) {
      found = Promise.resolve().then(() => this.identify(request));
      this.identities.set(request, found);
    }
    return validateIdentity(await found, new Date());
  }

  /**
   * @param requested the scope that the call names; null or absent means the caller's own, what is no string is not granted
   * @throws UnauthenticatedError
   * @throws InvalidInputError when the request asked for too many
   * @throws ForbiddenError for a scope that the policy does not grant, whether or not it exists
   */
  async scope(request: IdentifiableRequest, requested: unknown, action: AccessAction): Promise<Scope> {
    this.count(request);
    return this.granted(request, requested, action);
  }

  /** Same as `scope`, for what is asked again on behalf of a request that was counted: an event that is about to be sent. */
  async granted(request: IdentifiableRequest, requested: unknown, action: AccessAction): Promise<Scope> {
    const identity = await this.identity(request);
    const grants = await this.policy.grants(identity);
    const name = requested ?? grants[0]?.scope;
    const granted = grants.find(({ scope, actions }) => scope === name && actions.includes(action));
    if (!granted) {
      throw new ForbiddenError(
        `You may not ${action} in this scope. Leave "scope" out to use your own, or ask for access to it.`,
      );
    }
    return { tenantId: identity.tenantId, scope: granted.scope };
  }

  /** Every scope that may be read, the caller's own first. @throws UnauthenticatedError */
  async readable(request: IdentifiableRequest): Promise<readonly Scope[]> {
    const identity = await this.identity(request);
    const grants = await this.policy.grants(identity);
    const names = grants.filter(({ actions }) => actions.includes('read')).map(({ scope }) => scope);
    return [...new Set(names)].map((scope) => ({ tenantId: identity.tenantId, scope }));
  }

  private count(request: IdentifiableRequest): void {
    const count = (this.fieldCounts.get(request) ?? 0) + 1;
    this.fieldCounts.set(request, count);
    if (count > this.fieldsMax) {
      throw new InvalidInputError(
        'query',
        `The request selects more than ${this.fieldsMax} memory fields. Split it into several requests.`,
      );
    }
  }
}
