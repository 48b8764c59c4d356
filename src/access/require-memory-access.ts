import { SetMetadata, UseGuards, applyDecorators, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { AccessAction } from './access-policy.js';
import { MEMORY_ACCESS_ACTION, MemoryAccessGuard, grantedScope } from './memory-access.guard.js';

/**
 * Guards a query, a mutation or a controller's method: it runs only in a scope where the caller has `action`. The scope is
 * that of the argument `scope` or `input.scope` (over HTTP: of the route parameter, query parameter or body property
 * `scope`, the first of them that is there), else the caller's own.
 */
export function RequireMemoryAccess(action: AccessAction): MethodDecorator {
  return applyDecorators(SetMetadata(MEMORY_ACCESS_ACTION, action), UseGuards(MemoryAccessGuard));
}

/** The scope that `@RequireMemoryAccess` granted: a parameter of type `Scope`. */
export const MemoryScopeParam = createParamDecorator((_: unknown, context: ExecutionContext) => grantedScope(context));
