import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { IdentifiableRequest, Identify, Identity } from '../access/identity.js';
import { UnauthenticatedError } from '../errors/unauthenticated-error.js';
import { UnavailableError } from '../errors/unavailable-error.js';
import type { IdentityConfig } from './config.js';
import { connectionValues } from './connection-values.js';

type TokenConfig = Exclude<IdentityConfig, { kind: 'loopback' }>;

/** Seconds by which the clocks of issuer and server may differ. */
const CLOCK_TOLERANCE_S = 5;

/** Public-key algorithms only: a key set must never be read as a shared secret. */
const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

function refused(reason: string): UnauthenticatedError {
  return new UnauthenticatedError(`${reason} Send "Authorization: Bearer <token>" with a valid token.`);
}

function bearerToken({ headers, connectionParams }: IdentifiableRequest): string | null {
  const [header, ...more] = connectionParams
    ? connectionValues(connectionParams, 'authorization')
    : [headers['authorization']];
  if (header === undefined) return null;
  const token =
    typeof header === 'string' && more.length === 0
      ? /^Bearer +([\w-]+\.[\w-]+\.[\w-]*) *$/i.exec(header)?.[1]
      : undefined;
  if (token === undefined) throw refused('Authorization holds no bearer token.');
  return token;
}

function claim(payload: JWTPayload, name: 'tenant' | 'sub'): string {
  const value = payload[name];
  if (typeof value !== 'string' || value.trim() === '') throw refused(`The token has no claim "${name}".`);
  return value;
}

/** Never the token nor jose's own words, which can quote a claim. */
function failure(error: unknown): Error {
  if (error instanceof errors.JWTExpired) return refused('The token has expired.');
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) {
    return new UnavailableError('The key set that tokens are checked against cannot be read now. Try again later.');
  }
  return refused('The token does not verify.');
}

/** Reads who calls from a bearer token: claims `tenant` and `sub`, valid until `exp`. Null without one. */
export function bearerIdentity(config: TokenConfig): Identify {
  const verify = verifier(config);
  return async (request): Promise<Identity | null> => {
    const token = bearerToken(request);
    if (token === null) return null;
    const payload = await verify(token).catch((error: unknown) => {
      throw failure(error);
    });
    return {
      tenantId: claim(payload, 'tenant'),
      subject: claim(payload, 'sub'),
      ...(payload.exp === undefined ? {} : { expiresAt: new Date((payload.exp + CLOCK_TOLERANCE_S) * 1_000) }),
    };
  };
}

function verifier(config: TokenConfig): (token: string) => Promise<JWTPayload> {
  const options: JWTVerifyOptions = { clockTolerance: CLOCK_TOLERANCE_S };
  if (config.kind === 'jwt-secret') {
    const secret = new TextEncoder().encode(config.secret);
    return async (token) => (await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })).payload;
  }
  const keys = createRemoteJWKSet(config.url);
  return async (token) => (await jwtVerify(token, keys, { ...options, algorithms: ASYMMETRIC })).payload;
}
