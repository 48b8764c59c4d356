import type { ApolloDriverConfig } from '@nestjs/apollo';
import { resolveLimits } from './limits.js';
import type { MemoryGraphQLLimits } from './limits.js';
import { queryBounds } from './query-bounds.js';

/** Rules made here, so that boot can tell whether the host's `GraphQLModule` carries one. */
const ownRules = new WeakSet<object>();

export function isEngramRule(rule: object): boolean {
  return ownRules.has(rule);
}

export interface EngramGraphQLDefaultsOptions {
  readonly limits?: MemoryGraphQLLimits;
}

/**
 * Safe settings for the host's own `GraphQLModule`, to be spread into its options: bounded documents, no batches, no
 * stack traces, CSRF prevention, introspection outside production only, and no landing page (GraphiQL loads its scripts
 * from a CDN; set `graphiql: true` after the spread to have it all the same).
 * @throws InvalidOptionsError
 */
export function engramGraphQLDefaults({ limits }: EngramGraphQLDefaultsOptions = {}) {
  const bounds = resolveLimits(limits);
  const rule = queryBounds(bounds);
  ownRules.add(rule);
  return {
    validationRules: [rule],
    parseOptions: { maxTokens: bounds.tokens },
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    introspection: process.env['NODE_ENV'] !== 'production',
    graphiql: false,
  } satisfies Partial<ApolloDriverConfig>;
}
