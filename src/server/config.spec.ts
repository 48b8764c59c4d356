import { describe, expect, it } from '@jest/globals';
import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import { isLoopback, readConfig } from './config.js';

describe('readConfig', () => {
  it('runs on this machine, on embedded adapters, from an empty environment', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      database: { kind: 'embedded', dataDir: '.engram' },
      openAi: null,
      identity: { kind: 'loopback' },
    });
  });

  it('switches to Postgres and to OpenAI when told where they are', () => {
    const config = readConfig({ DATABASE_URL: 'postgresql://app:pw@db:5432/app', OPENAI_API_KEY: 'sk-x' });
    expect(config.database).toEqual({ kind: 'postgres', url: 'postgresql://app:pw@db:5432/app' });
    expect(config.openAi).toEqual({
      apiKey: 'sk-x',
      baseUrl: undefined,
      embedModel: 'text-embedding-3-small',
      embedDimensions: undefined,
      completionModel: 'gpt-4o-mini',
    });
  });

  it('needs no key for a service of its own, but the length of vectors that it cannot know', () => {
    const local = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1', ENGRAM_EMBED_MODEL: 'nomic-embed-text' };
    expect(() => readConfig(local)).toThrow(/ENGRAM_EMBED_DIMENSIONS/);
    expect(readConfig({ ...local, ENGRAM_EMBED_DIMENSIONS: '768' }).openAi).toMatchObject({
      apiKey: 'none',
      embedDimensions: 768,
    });
  });

  it('serves other machines only to callers with tokens', () => {
    expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow(/ENGRAM_JWT_SECRET or ENGRAM_JWKS_URL/);
    expect(readConfig({ HOST: '0.0.0.0', ENGRAM_JWT_SECRET: 's' }).identity).toEqual({
      kind: 'jwt-secret',
      secret: 's',
    });
    expect(readConfig({ HOST: '::', ENGRAM_JWKS_URL: 'https://id.example/jwks' }).identity).toMatchObject({
      kind: 'jwks',
    });
  });

  it.each([
    ['PORT', { PORT: '' }],
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '3e3' }],
    ['HOST', { HOST: ' ' }],
    ['DATABASE_URL', { DATABASE_URL: '' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root:hunter2@db/app' }],
    ['DATABASE_URL', { DATABASE_URL: 'hunter2' }],
    ['ENGRAM_DATA_DIR', { ENGRAM_DATA_DIR: '' }],
    ['OPENAI_API_KEY', { OPENAI_API_KEY: '' }],
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'localhost:11434' }],
    ['ENGRAM_EMBED_DIMENSIONS', { ENGRAM_EMBED_DIMENSIONS: '0' }],
    ['ENGRAM_EMBED_MODEL', { ENGRAM_EMBED_MODEL: '' }],
    ['ENGRAM_COMPLETION_MODEL', { ENGRAM_COMPLETION_MODEL: '' }],
    ['ENGRAM_JWT_SECRET', { ENGRAM_JWT_SECRET: '' }],
    ['ENGRAM_JWKS_URL', { ENGRAM_JWKS_URL: 'file:///etc/passwd' }],
    ['ENGRAM_JWKS_URL', { ENGRAM_JWKS_URL: 'https://id.example/jwks', ENGRAM_JWT_SECRET: 's' }],
  ])('refuses a wrong %s by its name, without its value: %j', (name, env) => {
    const read = (): unknown => readConfig(env);
    expect(read).toThrow(InvalidOptionsError);
    expect(read).toThrow(name);
    expect(read).not.toThrow(/hunter2/);
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'LOCALHOST'])('takes %s for this machine', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
  it.each(['0.0.0.0', '::', '10.0.0.1', 'localhost.evil.example', '127.0.0.1.evil.example', '127.evil', ''])(
    'does not take %s for this machine',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
