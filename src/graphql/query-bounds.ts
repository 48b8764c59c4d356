import { GraphQLError } from 'graphql';
import type { ValidationContext, ValidationRule } from 'graphql';
import type { MemoryGraphQLLimits } from './limits.js';
import { QueryExtent } from './query-extent.js';

/** A validation rule that refuses operations that are too deep, select too many root fields, or can answer with too much. */
export function queryBounds({ depth, rootFields, cost }: Required<MemoryGraphQLLimits>): ValidationRule {
  return (context: ValidationContext) => {
    const schema = context.getSchema();
    const extents = new QueryExtent({ schema, fragment: (name) => context.getFragment(name), variables: null });
    return {
      OperationDefinition(node) {
        const refuse = (reason: string): void => context.reportError(new GraphQLError(reason, { nodes: node }));
        const extent = extents.of(node.selectionSet, schema.getRootType(node.operation));
        if (extent.depth > depth) refuse(`The operation is nested deeper than ${depth} levels. Ask for less at once.`);
        if (extent.fields > rootFields) {
          refuse(`The operation has more than ${rootFields} root fields. Split it into several requests.`);
        }
        if (extent.cost > cost) {
          refuse(
            `The operation can answer with more than ${cost} memory fields. Ask for smaller pages or for less of each row.`,
          );
        }
      },
    };
  };
}
