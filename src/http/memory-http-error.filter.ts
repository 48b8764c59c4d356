import { Catch } from '@nestjs/common';
import type { ArgumentsHost } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { toHttpException } from './to-http-exception.js';

/**
 * For controllers of the app that call `MemoryService`: answers with the codes, messages and masks of the GraphQL fields
 * (`{ statusCode, code, message, field? }`), and logs no text of what it masks. `@UseFilters(MemoryHttpErrorFilter)`, or
 * as `APP_FILTER`, where other transports stay as they are.
 */
@Catch()
export class MemoryHttpErrorFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw exception;
    super.catch(toHttpException(exception), host);
  }
}
