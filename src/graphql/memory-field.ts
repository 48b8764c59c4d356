import { UseGuards, applyDecorators } from '@nestjs/common';
import type { AccessAction } from '../access/access-policy.js';
import { RequireMemoryAccess } from '../access/require-memory-access.js';
import { ScalarGuard } from './inputs/scalar.guard.js';
import { QueryCostGuard } from './query-cost.guard.js';

/** Stands on each query, mutation and subscription of ours: who may run it, within which bounds. */
export function MemoryField(action: AccessAction): MethodDecorator {
  return applyDecorators(RequireMemoryAccess(action), UseGuards(QueryCostGuard, ScalarGuard));
}
