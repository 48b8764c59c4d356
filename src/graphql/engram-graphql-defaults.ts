import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { ValidationRule } from 'graphql';
import { clientFaults } from './client-faults.plugin.js';
import { resolveLimits } from './limits.js';
import type { MemoryGraphQLLimits } from './limits.js';
import type { MemoryGraphQLOptions } from './memory-graphql.options.js';
import { queryBounds } from './query-bounds.js';
import { subscriptionConditions } from './subscription-conditions.js';
import { graphQLWsHooks } from './subscriptions/graphql-ws-hooks.js';
import type { GraphQLWsHooks } from './subscriptions/graphql-ws-hooks.js';

/** Rules made here, so that boot can tell whether the host's `GraphQLModule` carries one. */
const ownRules = new WeakSet<object>();

export function isEngramRule(rule: object): boolean {
  return ownRules.has(rule);
}

export interface EngramGraphQLDefaultsOptions {
  /**
   * Who calls, as given to `MemoryGraphQLModule`: with it subscriptions are served over graphql-ws, to those it knows.
   * @default no subscriptions
   */
  readonly identify?: MemoryGraphQLOptions['identify'];
  /** Origins (`https://app.example`) of pages, beside those of this server, that may open a web socket. @default none */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: MemoryGraphQLLimits;
}

/** Written out: an inferred type would let `subscriptions` be undefined, which Nest's own refuses under `exactOptionalPropertyTypes`. */
export interface EngramGraphQLDefaults {
  validationRules: ValidationRule[];
  plugins: (typeof clientFaults)[];
  parseOptions: { maxTokens: number };
  allowBatchedHttpRequests: boolean;
  csrfPrevention: boolean;
  includeStacktraceInErrorResponses: boolean;
  introspection: boolean;
  hideSchemaDetailsFromClientErrors: boolean;
  graphiql: boolean;
  /** Only with `identify`. */
  subscriptions?: { 'graphql-ws': GraphQLWsHooks };
}

/**
 * Safe settings for the host's own `GraphQLModule`, to be spread into its options: bounded documents, no batches, no
 * stack traces, faults of a request told as such, CSRF prevention, graphql-ws for those who are known, introspection and hints of names outside production
 * only (`NODE_ENV`), and no landing page (GraphiQL loads its scripts from a CDN; set `graphiql: true` after the spread to
 * have it all the same).
 * @throws InvalidOptionsError
 */
export function engramGraphQLDefaults({
  identify,
  allowedOrigins = [],
  limits,
}: EngramGraphQLDefaultsOptions = {}): EngramGraphQLDefaults {
  const bounds = resolveLimits(limits);
  const rule = queryBounds(bounds);
  ownRules.add(rule);
  const isProduction = process.env['NODE_ENV'] === 'production';
  return {
    validationRules: [rule, subscriptionConditions],
    plugins: [clientFaults],
    parseOptions: { maxTokens: bounds.tokens },
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    introspection: !isProduction,
    // Hints of names that exist would spell the schema out again.
    hideSchemaDetailsFromClientErrors: isProduction,
    graphiql: false,
    ...(identify && {
      subscriptions: {
        'graphql-ws': graphQLWsHooks({
          identify: (request) => identify(request),
          allowedOrigins,
          rules: [rule, subscriptionConditions],
          maxTokens: bounds.tokens,
          isProduction,
        }),
      },
    }),
  } satisfies Partial<ApolloDriverConfig>;
}
