import { Kind, getNamedType, getNullableType, isInterfaceType, isListType, isObjectType } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import { isOwnField } from './own-fields.js';

/** How large a selection is. */
export interface Extent {
  /** Levels of fields below, and including, this selection. */
  readonly depth: number;
  /** Fields of this selection itself, those of its fragments among them. */
  readonly fields: number;
  /**
   * Memory fields that the answer to it can have, those in the rows of lists one by one. What else a host asks for costs
   * nothing, but the rows of its lists multiply the memory fields that are in them.
   */
  readonly cost: number;
}

export interface ExtentSource {
  readonly schema: GraphQLSchema;
  readonly fragment: (name: string) => FragmentDefinitionNode | null | undefined;
  /** Where they are known: one that is not counts as the largest page. */
  readonly variables: Readonly<Record<string, unknown>> | null;
}

/** Arguments that say how many rows a field may bring, as its value or in a list right below it. */
const SIZE_ARGUMENTS = ['first', 'last', 'limit'];
/** Rows of a page at most: our fields refuse a larger one, so it costs nothing. */
const SIZE_MAX = 100;
/** Rows that a list counts as where no argument says how many: a memory's history, for one. */
const UNSIZED_LIST = 10;

/**
 * Measures selections of one document. Each fragment is measured once, however often it is spread, so that the measuring
 * itself cannot be made expensive.
 */
export class QueryExtent {
  private readonly measured = new Map<string, Extent>();

  constructor(private readonly source: ExtentSource) {}

  /** @param sized the field above has said already how many rows the lists of this selection have */
  of(selectionSet: SelectionSetNode, parent: GraphQLNamedType | null | undefined, sized = false): Extent {
    const extents = selectionSet.selections.map((selection): Extent => {
      switch (selection.kind) {
        case Kind.FIELD:
          return this.ofField(selection, parent, sized);
        case Kind.INLINE_FRAGMENT: {
          const condition = selection.typeCondition?.name.value;
          return this.of(selection.selectionSet, condition ? this.source.schema.getType(condition) : parent, sized);
        }
        case Kind.FRAGMENT_SPREAD:
          return this.ofFragment(selection.name.value, sized);
      }
    });
    return {
      depth: Math.max(0, ...extents.map((extent) => extent.depth)),
      fields: extents.reduce((sum, extent) => sum + extent.fields, 0),
      cost: extents.reduce((sum, extent) => sum + extent.cost, 0),
    };
  }

  ofField(node: FieldNode, parent: GraphQLNamedType | null | undefined, sized = false): Extent {
    const own = parent && isOwnField(parent.name, node.name.value) ? 1 : 0;
    // Introspection is switched off where it matters, and is as large as the schema.
    if (node.name.value.startsWith('__')) return { depth: 0, fields: 1, cost: own };
    const definition =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!node.selectionSet) return { depth: 1, fields: 1, cost: own };
    const isList = definition !== undefined && isListType(getNullableType(definition.type));
    const size = definition ? this.sizeOf(node, definition) : null;
    const rows = size ?? (isList && !sized ? UNSIZED_LIST : 1);
    const below = this.of(node.selectionSet, definition && getNamedType(definition.type), size !== null && !isList);
    return { depth: below.depth + 1, fields: 1, cost: own + rows * below.cost };
  }

  private ofFragment(name: string, sized: boolean): Extent {
    const key = `${name} ${sized}`;
    const known = this.measured.get(key);
    if (known) return known;
    // Stands while the fragment is measured, so that a cycle ends; graphql's own rules refuse the document for it.
    this.measured.set(key, { depth: 0, fields: 0, cost: 0 });
    const fragment = this.source.fragment(name);
    const extent = fragment
      ? this.of(fragment.selectionSet, this.source.schema.getType(fragment.typeCondition.name.value), sized)
      : { depth: 0, fields: 0, cost: 0 };
    this.measured.set(key, extent);
    return extent;
  }

  private sizeOf(node: FieldNode, { args }: GraphQLField<unknown, unknown>): number | null {
    const argument = args.find(({ name }) => SIZE_ARGUMENTS.includes(name));
    if (!argument) return null;
    const given = node.arguments?.find(({ name }) => name.value === argument.name)?.value;
    const { variables } = this.source;
    let size: unknown = argument.defaultValue;
    if (given?.kind === Kind.INT) size = Number(given.value);
    if (given?.kind === Kind.VARIABLE) size = variables ? (variables[given.name.value] ?? size) : SIZE_MAX;
    return typeof size === 'number' ? Math.min(SIZE_MAX, Math.max(1, size)) : SIZE_MAX;
  }
}
