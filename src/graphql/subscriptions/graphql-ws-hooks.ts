import { GraphQLError, Kind, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, ValidationRule } from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import { connectionRequest } from '../../access/identifiable-request.js';
import type { WebSocketConnection } from '../../access/identifiable-request.js';
import { validateIdentity } from '../../access/identity.js';
import type { Identify, IdentifiableRequest } from '../../access/identity.js';
import { toGraphQLError } from '../to-graphql-error.js';
import { CLOSE_CODES, closeSocket } from './close-codes.js';
import { atExpiry } from './expiry-timer.js';
import { whenClosed } from './when-closed.js';

export interface GraphQLWsHooksOptions {
  readonly identify: Identify;
  /** Origins of pages, beside the server's own, that may connect: `https://app.example`. */
  readonly allowedOrigins: readonly string[];
  readonly rules: readonly ValidationRule[];
  readonly maxTokens: number;
  readonly isProduction: boolean;
}

export type GraphQLWsHooks = Pick<ServerOptions, 'onConnect' | 'onSubscribe' | 'validate' | 'onError'>;

/**
 * Told to every client when it connects: events are not kept for those who were away, so what it shows it must read
 * again.
 */
const REREAD = { engram: { reread: ['memories', 'memory', 'memorySettings', 'memoryStats'] } } as const;

/** A page of another site can open a web socket with this one's cookies; browsers always say where a page is from. */
function isForeign({ headers }: IdentifiableRequest, allowed: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return false;
  return !allowed.includes(origin) && (!URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase());
}

/** Over HTTP Apollo leaves such hints out in production; graphql-ws would send them. */
function withoutHints(errors: readonly GraphQLError[]): GraphQLError[] {
  return errors.map(({ message, ...error }) =>
    error.extensions?.['code'] === undefined
      ? new GraphQLError(message.replace(/ ?Did you mean .+\?$/su, ''), error)
      : new GraphQLError(message, error),
  );
}

/** What graphql-ws leaves to the app: who may connect, and which operations run over the socket. */
export function graphQLWsHooks({
  identify,
  allowedOrigins,
  rules,
  maxTokens,
  isProduction,
}: GraphQLWsHooksOptions): GraphQLWsHooks {
  return {
    onConnect: async (context) => {
      const connection = context as unknown as WebSocketConnection;
      const request = connectionRequest(connection);
      if (isForeign(request, allowedOrigins)) return false;
      try {
        const { expiresAt } = validateIdentity(await identify(request), new Date());
        const { socket } = connection.extra;
        const stop = atExpiry(expiresAt, () => closeSocket(socket, CLOSE_CODES.FORBIDDEN, 'The identity has expired'));
        whenClosed(socket, stop);
      } catch (error) {
        // Logs what is a fault of the app; the client hears the same "Forbidden" for every reason.
        toGraphQLError(error);
        return false;
      }
      return REREAD;
    },

    onSubscribe: (_context, _id, { query, operationName }) => {
      let document: DocumentNode;
      try {
        document = parse(query, { maxTokens });
      } catch (error) {
        return [error instanceof GraphQLError ? error : new GraphQLError('The document cannot be read.')];
      }
      const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
      const operation = operations.find(({ name }) => operationName == null || name?.value === operationName);
      if (operation && operation.operation !== 'subscription') {
        return [new GraphQLError('Only subscriptions run over the web socket. Send queries and mutations by HTTP.')];
      }
      // Nothing: graphql-ws goes on with the validation against the schema.
      return undefined;
    },

    validate: (schema, document) => validate(schema, document, [...specifiedRules, ...rules]),

    ...(isProduction && { onError: (_context, _id, _payload, errors) => withoutHints(errors) }),
  };
}
