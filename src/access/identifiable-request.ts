import { UnauthenticatedError } from '../errors/unauthenticated-error.js';
import type { IdentifiableRequest } from './identity.js';

/** What graphql-ws hands to the `context` function: Nest puts it where an HTTP request would stand. */
export interface WebSocketConnection {
  readonly connectionParams?: Readonly<Record<string, unknown>>;
  readonly extra: { readonly request: IdentifiableRequest; readonly socket: ConnectionSocket };
}

/** The part of a `ws` socket that is used. */
export interface ConnectionSocket {
  readonly readyState: number;
  close(code: number, reason: string): void;
  terminate(): void;
  once(event: 'close', listener: () => void): unknown;
}

/** What a host's `context` function gives, as far as it is read. */
export interface GraphQLContext {
  readonly req?: IdentifiableRequest | WebSocketConnection;
}

/** One object for each operation, so that who calls is asked once for each, and again at the next. */
const operations = new WeakMap<object, IdentifiableRequest>();

export function connectionOf(context: GraphQLContext | undefined): WebSocketConnection | null {
  const request = context?.req;
  return request && 'extra' in request ? request : null;
}

/** A web socket as a request: the headers of its upgrade, and beside them what the client sent when it connected. */
export function connectionRequest({ connectionParams = {}, extra }: WebSocketConnection): IdentifiableRequest {
  // The request itself is the prototype: `headersDistinct` and a host's own properties are getters of it.
  return Object.create(extra.request, { connectionParams: { value: connectionParams, enumerable: true } });
}

/** @throws UnauthenticatedError where the host's `context` function keeps the request away */
export function identifiableRequest(context: GraphQLContext | undefined): IdentifiableRequest {
  if (!context?.req) {
    throw new UnauthenticatedError('The GraphQL context has no request to identify. Keep "req" in it.');
  }
  const connection = connectionOf(context);
  if (!connection) return context.req as IdentifiableRequest;
  const request = operations.get(context) ?? connectionRequest(connection);
  operations.set(context, request);
  return request;
}
