import type { ServerResponse } from 'node:http';
import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { toHttpException } from './to-http-exception.js';

/** What is used of a response of Express, which is one of Node's, and of a reply of Fastify, which has one. */
interface HttpResponse extends Pick<ServerResponse, 'headersSent' | 'end'> {
  status(code: number): { send(body: unknown): unknown };
  readonly raw?: Pick<ServerResponse, 'headersSent' | 'end'>;
}

/**
 * For controllers of the app that call `MemoryService`: answers with the codes, messages and masks of the GraphQL fields
 * (`{ statusCode, code, message, field? }`), and logs no text of what it masks. `@UseFilters(MemoryHttpErrorFilter)`,
 * `app.useGlobalFilters(new MemoryHttpErrorFilter())`, or as `APP_FILTER`; other transports stay as they are.
 */
@Catch()
export class MemoryHttpErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw exception;
    const error = toHttpException(exception);
    const response = host.switchToHttp().getResponse<HttpResponse>();
    const raw = response.raw ?? response;
    if (raw.headersSent) {
      // A stream that broke: all that is left is to end it.
      raw.end();
      return;
    }
    const [statusCode, body] = [error.getStatus(), error.getResponse()];
    response.status(statusCode).send(typeof body === 'string' ? { statusCode, message: body } : body);
  }
}
