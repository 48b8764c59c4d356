import { describe, expect, it } from '@jest/globals';
import type { IdentifiableRequest } from '../access/identity.js';
import { ForbiddenError } from '../errors/forbidden-error.js';
import { UnauthenticatedError } from '../errors/unauthenticated-error.js';
import { loopbackIdentity } from './loopback-identity.js';

const from = (headers: IdentifiableRequest['headers']): IdentifiableRequest => ({
  headers: { host: 'localhost:3000', ...headers },
});

describe('loopbackIdentity', () => {
  it('is demo where nobody is named', () => {
    expect(loopbackIdentity(from({}))).toEqual({ tenantId: 'demo', subject: 'demo' });
  });

  it('is whom the headers name, commas and all', () => {
    expect(loopbackIdentity(from({ 'x-tenant-id': 'acme', 'x-user-id': 'a,b' }))).toEqual({
      tenantId: 'acme',
      subject: 'a,b',
    });
  });

  it.each([{ 'x-user-id': '' }, { 'x-tenant-id': '  ' }, { 'x-user-id': ['a', 'b'] }, { 'x-tenant-id': ['a', 'a'] }])(
    'refuses %j rather than guessing',
    (headers) => {
      expect(() => loopbackIdentity(from(headers))).toThrow(UnauthenticatedError);
    },
  );

  it.each(['127.0.0.1:3000', 'localhost', '[::1]:3000', 'LOCALHOST:1'])('serves a request to %s', (host) => {
    expect(loopbackIdentity(from({ host, origin: `http://${host}` })).subject).toBe('demo');
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io:3000',
    '192.168.0.7:3000',
    '',
    'a b',
    '127.0.0.1@evil.example',
  ])('refuses a request to the host %j', (host) => {
    expect(() => loopbackIdentity(from({ host }))).toThrow(ForbiddenError);
  });

  it.each([
    'http://evil.example',
    'null',
    '',
    'http://localhost:4000',
    'http://localhost',
    'file://',
    'http://127.0.0.1:3000',
  ])('refuses a page of the origin %j', (origin) => {
    expect(() => loopbackIdentity(from({ origin }))).toThrow(ForbiddenError);
  });
});
