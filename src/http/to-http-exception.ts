import { HttpException, Logger } from '@nestjs/common';
import { toClientError } from '../errors/client-error.js';

const logger = new Logger('MemoryHttp');

/** What an HTTP client may know of an error: `{ statusCode, code, message, field? }`. One of the app's own stays as it is. */
export function toHttpException(error: unknown): HttpException {
  if (error instanceof HttpException) return error;
  const { status, fault, ...told } = toClientError(error);
  if (fault !== undefined) logger.error(fault);
  return new HttpException({ statusCode: status, ...told }, status);
}
