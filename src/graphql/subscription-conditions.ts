import { GraphQLError, Kind, OperationTypeNode } from 'graphql';
import type { DirectiveNode, SelectionSetNode, ValidationContext, ValidationRule } from 'graphql';

const CONDITIONS: readonly string[] = ['skip', 'include'];

/**
 * A validation rule that lets no subscription put its field under a @skip or @include, as newer editions of the
 * specification do (section 5.2.4.1). graphql's own rule throws where a variable decides, and its execution where nothing
 * is left to subscribe to: over HTTP that is a fault of the server with the document in its log, and over a web socket the
 * end of all its subscriptions.
 */
export const subscriptionConditions: ValidationRule = (context: ValidationContext) => ({
  Document(document) {
    const conditions = document.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.SUBSCRIPTION
        ? conditionsOf(definition.selectionSet, context, new Set())
        : [],
    );
    if (conditions.length === 0) return undefined;
    for (const condition of conditions) {
      const reason = `The field of a subscription cannot stand under @${condition.name.value}.`;
      context.reportError(new GraphQLError(reason, { nodes: condition }));
    }
    // Nothing is left for the rule that would throw.
    return { ...document, definitions: [] };
  },
});

/** Of the fields right below, through fragments. */
function conditionsOf(
  { selections }: SelectionSetNode,
  context: ValidationContext,
  visited: Set<string>,
): DirectiveNode[] {
  return selections.flatMap((selection) => {
    const own = (selection.directives ?? []).filter(({ name }) => CONDITIONS.includes(name.value));
    if (selection.kind === Kind.FIELD) return own;
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return [...own, ...conditionsOf(selection.selectionSet, context, visited)];
    }
    const name = selection.name.value;
    const fragment = visited.has(name) ? null : context.getFragment(name);
    visited.add(name);
    return fragment ? [...own, ...conditionsOf(fragment.selectionSet, context, visited)] : own;
  });
}
