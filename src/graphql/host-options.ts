import type { ApplicationConfig, ModuleRef } from '@nestjs/core';
import { GRAPHQL_MODULE_OPTIONS } from '@nestjs/graphql';

/** What is read of the options of a host's `GraphQLModule`. */
export interface HostOptions {
  readonly path?: string;
  readonly useGlobalPrefix?: boolean;
  readonly installSubscriptionHandlers?: boolean;
  readonly subscriptions?: { readonly 'graphql-ws'?: boolean | { readonly path?: string } };
  readonly validationRules?: readonly object[];
}

/** Of each `GraphQLModule`; none in an app without: nothing serves the fields there. */
export function hostOptions(moduleRef: ModuleRef): HostOptions[] {
  try {
    return moduleRef.get<HostOptions>(GRAPHQL_MODULE_OPTIONS, { strict: false, each: true });
  } catch {
    return [];
  }
}

export function servesWebSockets({ subscriptions, installSubscriptionHandlers }: HostOptions): boolean {
  return subscriptions !== undefined || installSubscriptionHandlers === true;
}

/** Where a host serves GraphQL over web sockets, put together as Nest's drivers do it. */
export function webSocketPath(
  { path = '/graphql', useGlobalPrefix = false, subscriptions }: HostOptions,
  config: ApplicationConfig,
): string {
  const graphqlWs = subscriptions?.['graphql-ws'];
  const own = typeof graphqlWs === 'object' ? graphqlWs.path : undefined;
  const parts = [useGlobalPrefix ? config.getGlobalPrefix() : '', own ?? path];
  return parts.map((part) => part.replace(/^\/*/, '/').replace(/\/$/, '')).join('');
}
