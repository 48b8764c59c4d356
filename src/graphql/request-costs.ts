import { Inject, Injectable } from '@nestjs/common';
import type { GraphQLResolveInfo } from 'graphql';
import type { IdentifiableRequest } from '../access/identity.js';
import { InvalidInputError } from '../errors/invalid-input-error.js';
import { resolveLimits } from './limits.js';
import { MEMORY_GRAPHQL_OPTIONS } from './memory-graphql.options.js';
import type { MemoryGraphQLOptions } from './memory-graphql.options.js';
import { QueryExtent } from './query-extent.js';

/**
 * What the memory fields of one request cost together. The validation rule sees one operation, and stands only where the
 * host has taken our defaults; this counts the operations of a batch too, and wherever they come from.
 */
@Injectable()
export class RequestCosts {
  private readonly max: number;
  private readonly spent = new WeakMap<IdentifiableRequest, number>();
  /** The references of one `_entities` field share its `info`. */
  private readonly ofReference = new WeakMap<GraphQLResolveInfo, number>();

  constructor(@Inject(MEMORY_GRAPHQL_OPTIONS) { limits }: MemoryGraphQLOptions) {
    this.max = resolveLimits(limits).cost;
  }

  /** @throws InvalidInputError when the field is more than is left to the request */
  spendField(request: IdentifiableRequest, info: GraphQLResolveInfo): void {
    const extents = extentsOf(info);
    this.spend(
      request,
      info.fieldNodes.reduce((sum, node) => sum + extents.ofField(node, info.parentType).cost, 0),
    );
  }

  /** Same, for one entity of `_entities`. */
  spendReference(request: IdentifiableRequest, info: GraphQLResolveInfo): void {
    let cost = this.ofReference.get(info);
    if (cost === undefined) {
      const extents = extentsOf(info);
      const selections = info.fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      cost = selections.reduce((sum, selectionSet) => sum + extents.of(selectionSet, null).cost, 1);
      this.ofReference.set(info, cost);
    }
    this.spend(request, cost);
  }

  private spend(request: IdentifiableRequest, cost: number): void {
    const spent = (this.spent.get(request) ?? 0) + cost;
    this.spent.set(request, spent);
    if (spent > this.max) {
      throw new InvalidInputError(
        'query',
        `The query can answer with more than ${this.max} memory fields. Ask for smaller pages or for less of each row.`,
      );
    }
  }
}

function extentsOf({ schema, fragments, variableValues }: GraphQLResolveInfo): QueryExtent {
  return new QueryExtent({ schema, fragment: (name) => fragments[name], variables: variableValues });
}
