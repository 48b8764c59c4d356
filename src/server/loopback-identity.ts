import type { IdentifiableRequest, Identity } from '../access/identity.js';
import { ForbiddenError } from '../errors/forbidden-error.js';
import { UnauthenticatedError } from '../errors/unauthenticated-error.js';
import { isLoopback } from './config.js';
import { connectionValues } from './connection-values.js';

/** Node's request has every occurrence of a header; `headers` joins them by commas, and a comma may stand in an id. */
interface DistinctHeaders {
  readonly headersDistinct?: Readonly<Record<string, string[] | undefined>>;
}

/** Whom a request without the header is from. */
const DEMO = 'demo';

function single(request: IdentifiableRequest & DistinctHeaders, name: string): string {
  const values = request.connectionParams
    ? connectionValues(request.connectionParams, name)
    : (request.headersDistinct?.[name] ?? [request.headers[name] ?? []].flat());
  const [value, ...more] = values;
  if (value === undefined) return DEMO;
  if (more.length > 0) throw new UnauthenticatedError(`${name} stands more than once. Send it once.`);
  if (typeof value !== 'string' || value.trim() === '')
    throw new UnauthenticatedError(`${name} is empty. Leave it out for "${DEMO}", or name somebody.`);
  return value;
}

function hostOf(authority: string): URL | null {
  return URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : null;
}

/**
 * Refuses what a web page elsewhere could send to a server on this machine: another Origin, or a Host that a foreign
 * name server pointed here (DNS rebinding). Without tokens this is what keeps other pages out.
 * @throws ForbiddenError
 */
export function refuseForeignPages({ headers }: IdentifiableRequest): void {
  const [authority = '', ...moreHosts] = [headers['host'] ?? []].flat();
  const host = hostOf(authority);
  if (!host || moreHosts.length > 0 || !isLoopback(host.hostname.replace(/^\[|\]$/g, ''))) {
    throw new ForbiddenError(
      'The Host header does not name this machine. Without tokens only http://127.0.0.1 and http://localhost are served.',
    );
  }
  for (const origin of [headers['origin'] ?? []].flat()) {
    if (!URL.canParse(origin) || new URL(origin).host !== host.host) {
      throw new ForbiddenError(
        'The Origin header names another site. Without tokens only pages of this server may call it.',
      );
    }
  }
}

/** Development only: anyone on this machine may say who they are, by `x-tenant-id` and `x-user-id`, in headers or connection parameters. */
export function loopbackIdentity(request: IdentifiableRequest): Identity {
  refuseForeignPages(request);
  return { tenantId: single(request, 'x-tenant-id'), subject: single(request, 'x-user-id') };
}
