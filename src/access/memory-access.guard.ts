import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ForbiddenError } from '../errors/forbidden-error.js';
import type { Scope } from '../model/scope.js';
import type { AccessAction } from './access-policy.js';
import { AccessService } from './access.service.js';
import { identifiableRequest } from './identifiable-request.js';
import type { GraphQLContext } from './identifiable-request.js';

/** Metadata key of the action that a field asks for. */
export const MEMORY_ACCESS_ACTION = Symbol('MEMORY_ACCESS_ACTION');

/** Keyed by the field's `info`, which is another object for each field of a request: two aliases never share a scope. */
const grantedScopes = new WeakMap<object, Scope>();

interface FieldArguments {
  readonly scope?: string | null;
  readonly input?: { readonly scope?: string | null } | null;
}

/** Lets a GraphQL field run only in a scope that the caller's identity grants. Fields ask for it by `@RequireMemoryAccess`. */
@Injectable()
export class MemoryAccessGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(AccessService) private readonly access: AccessService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const action = this.reflector.get<AccessAction>(MEMORY_ACCESS_ACTION, context.getHandler());
    const [, args, graphqlContext, info] =
      context.getArgs<[unknown, FieldArguments, GraphQLContext | undefined, object]>();
    const request = identifiableRequest(graphqlContext);
    grantedScopes.set(info, await this.access.scope(request, args.input?.scope ?? args.scope, action));
    return true;
  }
}

/** The scope that the guard granted to this field. @throws ForbiddenError where no guard ran */
export function grantedScope(context: ExecutionContext): Scope {
  const scope = grantedScopes.get(context.getArgByIndex<object>(3));
  if (!scope) {
    throw new ForbiddenError('No access was asked for here. Put @RequireMemoryAccess on the field.');
  }
  return scope;
}
