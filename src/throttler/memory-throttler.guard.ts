import { HttpException, HttpStatus, Inject, Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { ThrottlerLimitDetail } from '@nestjs/throttler';
import { GraphQLError } from 'graphql';
import { AccessService } from '../access/access.service.js';
import { connectionOf, identifiableRequest } from '../access/identifiable-request.js';
import type { GraphQLContext } from '../access/identifiable-request.js';
import type { IdentifiableRequest } from '../access/identity.js';

/** `extensions.code` of a field that was refused, and `code` of an HTTP answer. `retryAfter` beside it is in seconds. */
export const TOO_MANY_REQUESTS = 'TOO_MANY_REQUESTS';

/** Where each transport keeps the address of its caller. */
type AddressedRequest = IdentifiableRequest & {
  /** Express and Fastify: as their proxy settings make it. */
  readonly ip?: string;
  /** A web socket: whoever connected. */
  readonly socket?: { readonly remoteAddress?: string };
};

interface AnswerableContext extends GraphQLContext {
  readonly res?: object;
}

/**
 * Nest's throttler for GraphQL fields and HTTP routes, of this package and of the app: counts by tenant and subject, as
 * `identify` of `MemoryGraphQLModule` says, and those who are not known by their address. Each field of the root counts,
 * so aliases do not multiply what a subject may ask. Give it as `APP_GUARD`, with `ThrottlerModule.forRoot` imported.
 */
@Injectable()
export class MemoryThrottlerGuard extends ThrottlerGuard {
  protected override errorMessage = 'Too many requests. Wait for as many seconds as "retryAfter" says, then try again.';

  @Inject(AccessService)
  private readonly access!: AccessService;

  /** Nobody can be told apart on other transports. */
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return !['http', 'graphql'].includes(context.getType<string>());
  }

  protected override getRequestResponse(context: ExecutionContext): { req: IdentifiableRequest; res: object } {
    if (!isField(context)) return super.getRequestResponse(context) as { req: IdentifiableRequest; res: object };
    const graphqlContext = contextOf(context);
    const req = identifiableRequest(graphqlContext);
    // Express links the two; where nothing leads to the answer, it goes without the headers that tell what is left.
    return { req, res: graphqlContext?.res ?? ('res' in req ? Object(req.res) : {}) };
  }

  protected override async getTracker(request: AddressedRequest): Promise<string> {
    try {
      const { tenantId, subject } = await this.access.identity(request);
      return `subject ${JSON.stringify([tenantId, subject])}`;
    } catch {
      // Who is not known is told so by what guards the field, and a fault of `identify` as well: here it only counts.
      return `address ${await super.getTracker({ ip: request.ip ?? request.socket?.remoteAddress })}`;
    }
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    detail: ThrottlerLimitDetail,
  ): Promise<void> {
    const message = await this.getErrorMessage(context, detail);
    const told = { code: TOO_MANY_REQUESTS, retryAfter: detail.timeToBlockExpire };
    if (!isField(context)) {
      this.setResponseHeader(context.switchToHttp().getResponse(), 'Retry-After', told.retryAfter);
      const statusCode = HttpStatus.TOO_MANY_REQUESTS;
      throw new HttpException({ statusCode, message, ...told }, statusCode);
    }
    // Apollo takes it out of the extensions and into the answer, whatever it is served by.
    const http = { headers: new Map([['retry-after', `${told.retryAfter}`]]) };
    const overHttp = connectionOf(contextOf(context)) === null;
    throw new GraphQLError(message, { extensions: { ...told, ...(overHttp && { http }) } });
  }
}

function isField(context: ExecutionContext): boolean {
  return context.getType<string>() === 'graphql';
}

function contextOf(context: ExecutionContext): AnswerableContext | undefined {
  return context.getArgByIndex<AnswerableContext | undefined>(2);
}
