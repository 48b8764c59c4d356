import type { GraphQLResolveInfo } from 'graphql';
import type { GraphQLContext } from '../../access/identifiable-request.js';

type Variables = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Variables {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The variables of an operation as the client sent them, before the scalars read them. In a batch those of each request
 * with the same document; none where the host's server keeps the body away.
 */
export function sentVariables(context: GraphQLContext | undefined, { operation }: GraphQLResolveInfo): Variables[] {
  const { body, query } = (context?.req ?? {}) as { readonly body?: unknown; readonly query?: unknown };
  const document = operation.loc?.source.body;
  return [body, query]
    .flat()
    .filter(isObject)
    .filter((sent) => typeof sent['query'] !== 'string' || document === undefined || sent['query'] === document)
    .map((sent) => fromText(sent['variables']))
    .filter(isObject);
}
