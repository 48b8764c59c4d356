import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ForbiddenError } from '../errors/forbidden-error.js';
import { toHttpException } from '../http/to-http-exception.js';
import type { Scope } from '../model/scope.js';
import type { AccessAction } from './access-policy.js';
import { AccessService } from './access.service.js';
import { callKey, guardedCall } from './guarded-call.js';

/** Metadata key of the action that a field or route asks for. */
export const MEMORY_ACCESS_ACTION = Symbol('MEMORY_ACCESS_ACTION');

/** By what stands for the call. */
const grantedScopes = new WeakMap<object, Scope>();

/**
 * Lets a GraphQL field or a controller's method run only in a scope that the caller's identity grants. They ask for it by
 * `@RequireMemoryAccess`.
 */
@Injectable()
export class MemoryAccessGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(AccessService) private readonly access: AccessService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const action = this.reflector.get<AccessAction>(MEMORY_ACCESS_ACTION, context.getHandler());
    try {
      const { request, requestedScope, key } = guardedCall(context);
      grantedScopes.set(key, await this.access.scope(request, requestedScope, action));
    } catch (error) {
      // A controller may lack our filter: its callers must still be told 401 from 403.
      throw context.getType() === 'http' ? toHttpException(error) : error;
    }
    return true;
  }
}

/** The scope that the guard granted to this call. @throws ForbiddenError where no guard ran */
export function grantedScope(context: ExecutionContext): Scope {
  const scope = grantedScopes.get(callKey(context));
  if (!scope) {
    throw new ForbiddenError('No access was asked for here. Put @RequireMemoryAccess on the field or method.');
  }
  return scope;
}
