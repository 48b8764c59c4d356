import { HttpException, Logger } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { toClientError } from '../errors/client-error.js';

const logger = new Logger('MemoryGraphQL');

/** What a GraphQL client may know of an error: the message, and `extensions` with `code` and, where there is one, `field`. */
export function toGraphQLError(error: unknown): GraphQLError {
  const { message, code, field, fault } = toClientError(error);
  if (fault !== undefined) logger.error(fault);
  return new GraphQLError(message, { extensions: { code, ...(field !== undefined && { field }) } });
}

/** Same, but what a guard, an interceptor or `identify` of the host threw on purpose (a throttler, for one) is theirs to format. */
export function toThrownError(error: unknown): GraphQLError | HttpException {
  return error instanceof GraphQLError || error instanceof HttpException ? error : toGraphQLError(error);
}

/** For field and reference resolvers, on which exception filters do not run. */
export async function masked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toThrownError(error);
  }
}
