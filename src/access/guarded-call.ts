import type { ExecutionContext } from '@nestjs/common';
import { ForbiddenError } from '../errors/forbidden-error.js';
import { identifiableRequest } from './identifiable-request.js';
import type { GraphQLContext } from './identifiable-request.js';
import type { IdentifiableRequest } from './identity.js';

/** What a guard reads of a call, whatever brought it. */
export interface GuardedCall {
  readonly request: IdentifiableRequest;
  /** As the caller sent it: of the right type only where a schema says so. */
  readonly requestedScope: unknown;
  /** Stands for the call: another object for each, so that two aliases of one request never share a scope. */
  readonly key: object;
}

interface NamesScope {
  readonly scope?: unknown;
}

interface FieldArguments extends NamesScope {
  readonly input?: NamesScope | null;
}

interface HttpRequest extends IdentifiableRequest {
  readonly params?: NamesScope;
  readonly query?: NamesScope;
  readonly body?: NamesScope | null;
}

/** @throws ForbiddenError for a transport on which nobody can be identified */
export function guardedCall(context: ExecutionContext): GuardedCall {
  switch (context.getType<'http' | 'graphql'>()) {
    case 'graphql': {
      const [, args, graphqlContext, info] =
        context.getArgs<[unknown, FieldArguments, GraphQLContext | undefined, object]>();
      const requestedScope = args.input?.scope ?? args.scope;
      return { request: identifiableRequest(graphqlContext), requestedScope, key: info };
    }
    case 'http': {
      const request = context.switchToHttp().getRequest<HttpRequest>();
      const requestedScope = request.params?.scope ?? request.query?.scope ?? request.body?.scope;
      return { request, requestedScope, key: request };
    }
    default:
      throw new ForbiddenError('Memory is reached by GraphQL and HTTP only. Identify the caller there.');
  }
}

/** What stands for the call of this context. */
export function callKey(context: ExecutionContext): object {
  return context.getType<'http' | 'graphql'>() === 'http'
    ? context.switchToHttp().getRequest<object>()
    : context.getArgByIndex<object>(3);
}
