import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { GraphQLResolveInfo } from 'graphql';
import { identifiableRequest } from '../access/identifiable-request.js';
import type { GraphQLContext } from '../access/identifiable-request.js';
import { RequestCosts } from './request-costs.js';

/** Lets a field run while the request can pay for it. */
@Injectable()
export class QueryCostGuard implements CanActivate {
  constructor(@Inject(RequestCosts) private readonly costs: RequestCosts) {}

  canActivate(context: ExecutionContext): boolean {
    this.costs.spendField(
      identifiableRequest(context.getArgByIndex<GraphQLContext | undefined>(2)),
      context.getArgByIndex<GraphQLResolveInfo>(3),
    );
    return true;
  }
}
