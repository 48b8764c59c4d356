import { GraphQLError, Kind } from 'graphql';
import type { FragmentDefinitionNode, SelectionSetNode, ValidationContext, ValidationRule } from 'graphql';
import type { MemoryGraphQLLimits } from './limits.js';

interface Extent {
  /** Levels of fields below, and including, this selection. */
  readonly depth: number;
  /** Fields of this selection itself, those of its fragments among them. */
  readonly fields: number;
}

/**
 * A validation rule that refuses operations that are too deep or select too many root fields. Each fragment is measured
 * once, however often it is spread, so that the check itself cannot be made expensive.
 */
export function queryBounds({ depth, rootFields }: Required<MemoryGraphQLLimits>): ValidationRule {
  return (context: ValidationContext) => {
    const measured = new Map<string, Extent>();

    const ofFragment = (fragment: FragmentDefinitionNode | null | undefined): Extent => {
      if (!fragment) return { depth: 0, fields: 0 };
      const name = fragment.name.value;
      const known = measured.get(name);
      if (known) return known;
      // Stands while the fragment is measured, so that a cycle ends; graphql's own rules refuse the document for it.
      measured.set(name, { depth: 0, fields: 0 });
      const extent = extentOf(fragment.selectionSet);
      measured.set(name, extent);
      return extent;
    };

    const extentOf = (selectionSet: SelectionSetNode): Extent => {
      const extents = selectionSet.selections.map((selection): Extent => {
        switch (selection.kind) {
          case Kind.FIELD: {
            if (selection.name.value.startsWith('__')) return { depth: 0, fields: 1 };
            const below = selection.selectionSet ? extentOf(selection.selectionSet).depth : 0;
            return { depth: below + 1, fields: 1 };
          }
          case Kind.INLINE_FRAGMENT:
            return extentOf(selection.selectionSet);
          case Kind.FRAGMENT_SPREAD:
            return ofFragment(context.getFragment(selection.name.value));
        }
      });
      return {
        depth: Math.max(0, ...extents.map((extent) => extent.depth)),
        fields: extents.reduce((sum, extent) => sum + extent.fields, 0),
      };
    };

    return {
      OperationDefinition(node) {
        const extent = extentOf(node.selectionSet);
        if (extent.depth > depth) {
          context.reportError(
            new GraphQLError(`The operation is nested deeper than ${depth} levels. Ask for less at once.`, {
              nodes: node,
            }),
          );
        }
        if (extent.fields > rootFields) {
          context.reportError(
            new GraphQLError(`The operation has more than ${rootFields} root fields. Split it into several requests.`, {
              nodes: node,
            }),
          );
        }
      },
    };
  };
}
