import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, UnsecuredJWT, exportJWK, exportSPKI, generateKeyPair } from 'jose';
import type { JWTPayload } from 'jose';
import type { IdentifiableRequest } from '../access/identity.js';
import { UnauthenticatedError } from '../errors/unauthenticated-error.js';
import { UnavailableError } from '../errors/unavailable-error.js';
import { bearerIdentity } from './bearer-identity.js';

const SECRET = 'a secret of the tests, long enough for HS512 and not used anywhere else at all';
const CLAIMS = { tenant: 'acme', sub: 'ada' };
const key = new TextEncoder().encode(SECRET);

const bearing = (token: string): IdentifiableRequest => ({ headers: { authorization: `Bearer ${token}` } });
const signed = (
  claims: JWTPayload = CLAIMS,
  alg = 'HS256',
  by: Parameters<SignJWT['sign']>[0] = key,
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg }).sign(by);

describe('bearerIdentity with a secret', () => {
  const identify = bearerIdentity({ kind: 'jwt-secret', secret: SECRET });

  it('reads tenant and subject from the claims', async () => {
    expect(await identify(bearing(await signed()))).toEqual({ tenantId: 'acme', subject: 'ada' });
  });

  it('carries the expiry on, so that a long connection ends with its token', async () => {
    const exp = Math.floor(Date.now() / 1000) + 60;
    const identity = await identify(bearing(await signed({ ...CLAIMS, exp })));
    expect(identity?.expiresAt?.getTime()).toBeGreaterThanOrEqual(exp * 1000);
  });

  it('knows nobody without a token', async () => {
    expect(await identify({ headers: {} })).toBeNull();
  });

  it.each<[string, () => Promise<string> | string]>([
    ['is expired', () => signed({ ...CLAIMS, exp: Math.floor(Date.now() / 1000) - 60 })],
    ['is not valid yet', () => signed({ ...CLAIMS, nbf: Math.floor(Date.now() / 1000) + 600 })],
    [
      'is signed with another secret',
      () => signed(CLAIMS, 'HS256', new TextEncoder().encode('another secret of the tests, just as long')),
    ],
    ['is signed with another algorithm', () => signed(CLAIMS, 'HS512')],
    ['is not signed', () => new UnsecuredJWT(CLAIMS).encode()],
    ['has no tenant', () => signed({ sub: 'ada' })],
    ['has a tenant that is no string', () => signed({ tenant: ['acme'], sub: 'ada' } as unknown as JWTPayload)],
    ['has a blank subject', () => signed({ tenant: 'acme', sub: ' ' })],
    [
      'was changed',
      async () =>
        (await signed()).replace(
          /\.[^.]+\./,
          `.${Buffer.from('{"tenant":"acme","sub":"eve"}').toString('base64url')}.`,
        ),
    ],
    ['is no token', () => 'abc'],
    ['is empty', () => ''],
  ])('refuses a token that %s', async (_, token) => {
    const text = await token();
    const refused = identify(bearing(text));
    await expect(refused).rejects.toThrow(UnauthenticatedError);
    if (text.length > 20) await expect(refused).rejects.not.toThrow(text.slice(0, 20));
  });

  it('refuses another scheme', async () => {
    await expect(identify({ headers: { authorization: 'Basic YWRhOnB3' } })).rejects.toThrow(UnauthenticatedError);
  });
});

describe('bearerIdentity with a key set', () => {
  let server: Server;
  let url: URL;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;

  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true });
    const body = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'RS256', use: 'sig' }] });
    server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`);
  });
  afterAll(() => {
    server.close();
  });

  it('takes a token signed by a key of the set', async () => {
    const identify = bearerIdentity({ kind: 'jwks', url });
    expect(await identify(bearing(await signed(CLAIMS, 'RS256', keys.privateKey)))).toEqual({
      tenantId: 'acme',
      subject: 'ada',
    });
  });

  it('refuses one signed by another key, and one that uses the public key as a secret', async () => {
    const identify = bearerIdentity({ kind: 'jwks', url });
    const other = await generateKeyPair('RS256');
    await expect(identify(bearing(await signed(CLAIMS, 'RS256', other.privateKey)))).rejects.toThrow(
      UnauthenticatedError,
    );
    const confused = await signed(CLAIMS, 'HS256', new TextEncoder().encode(await exportSPKI(keys.publicKey)));
    await expect(identify(bearing(confused))).rejects.toThrow(UnauthenticatedError);
  });

  it('is unavailable, not refusing, while the set cannot be read', async () => {
    const identify = bearerIdentity({ kind: 'jwks', url: new URL('http://127.0.0.1:9/jwks') });
    await expect(identify(bearing(await signed(CLAIMS, 'RS256', keys.privateKey)))).rejects.toThrow(UnavailableError);
  });
});
