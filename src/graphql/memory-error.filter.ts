import { Catch } from '@nestjs/common';
import type { ExceptionFilter } from '@nestjs/common';
import { toThrownError } from './to-graphql-error.js';

/** Stands on our resolvers, so that a host's own filters and error formatting keep their say everywhere else. */
@Catch()
export class MemoryErrorFilter implements ExceptionFilter {
  catch(exception: unknown): never {
    throw toThrownError(exception);
  }
}
