import { isValueNode } from 'graphql';
import type { GraphQLError } from 'graphql';

/** Of Apollo's context of a request. Its own types are others for a host in CommonJS than for us, and fit not each other. */
export interface FailedRequest {
  readonly errors: readonly GraphQLError[];
  readonly source?: string | undefined;
}

/**
 * Gives the code of a client's fault to what Apollo would report as one of the server: a variable that is null or left out
 * where an argument or a directive may not be null, which graphql finds while it executes, and a hash that is not that of
 * the query sent with it.
 */
export const clientFaults = {
  requestDidStart: () =>
    Promise.resolve({
      didEncounterErrors({ errors, source }: FailedRequest): Promise<void> {
        for (const error of errors) {
          const code = source === undefined ? 'BAD_REQUEST' : isOfArgument(error) ? 'BAD_USER_INPUT' : undefined;
          if (code !== undefined) error.extensions['code'] ??= code;
        }
        return Promise.resolve();
      },
    }),
};

/** graphql points from such an error at the value, and from all others at fields, definitions or nothing. */
function isOfArgument({ nodes }: GraphQLError): boolean {
  return nodes?.[0] !== undefined && isValueNode(nodes[0]);
}
