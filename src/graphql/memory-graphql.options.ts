import type { AccessPolicy } from '../access/access-policy.js';
import type { IdentifiableRequest, Identity } from '../access/identity.js';
import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import type { MemoryGraphQLLimits } from './limits.js';
import type { PubSubBus } from './subscriptions/memory-event-bus.js';

export const MEMORY_GRAPHQL_OPTIONS = Symbol('MEMORY_GRAPHQL_OPTIONS');

export interface MemoryGraphQLOptions {
  /**
   * Who calls: the HTTP request gives `{ tenantId, subject, expiresAt? }`, or null for nobody that is known. Required.
   * A method, so that it may be declared with the framework's own request type.
   */
  identify(request: IdentifiableRequest): Identity | null | Promise<Identity | null>;
  /** Which scopes a subject may touch. @default OwnScopePolicy: `user:<subject>` of its tenant and nothing else */
  readonly policy?: AccessPolicy;
  /**
   * Carries events to subscribers: any engine of graphql-subscriptions, such as `RedisPubSub` where several processes
   * serve. The app closes it. @default one inside this process
   */
  readonly pubSub?: PubSubBus;
  /** Bounds of one request; `rootFields` and `cost` hold in the guards too, the others through `engramGraphQLDefaults`. */
  readonly limits?: MemoryGraphQLLimits;
}

/** @throws InvalidOptionsError naming the option */
export function assertGraphQLOptions(
  options: MemoryGraphQLOptions | undefined,
): asserts options is MemoryGraphQLOptions {
  if (typeof options?.identify !== 'function') {
    throw new InvalidOptionsError(
      'identify',
      'MemoryGraphQLModule needs "identify": a function that takes the request and returns { tenantId, subject }, or null. Without it, memories would have no owner.',
    );
  }
  if (options.policy !== undefined && typeof options.policy?.grants !== 'function') {
    throw new InvalidOptionsError(
      'policy',
      'Option policy must have a method grants(identity). Leave it out for OwnScopePolicy.',
    );
  }
}
