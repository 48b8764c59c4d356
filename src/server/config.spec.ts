import { describe, expect, it } from '@jest/globals';
import { InvalidOptionsError } from '../errors/invalid-options-error.js';
import { isLoopback, readConfig, readWorkerConfig } from './config.js';

describe('readConfig', () => {
  it('runs on this machine, on embedded adapters, from an empty environment', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      database: { kind: 'embedded', dataDir: '.engram' },
      openAi: null,
      identity: { kind: 'loopback' },
      queue: { kind: 'in-process' },
      worker: true,
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

  it('carries wake-ups by Redis or by Postgres when told so', () => {
    const DATABASE_URL = 'postgres://app:pw@db:5432/app';
    expect(readConfig({ REDIS_URL: 'rediss://:pw@cache:6380/2' }).queue).toEqual({
      kind: 'redis',
      url: 'rediss://:pw@cache:6380/2',
    });
    expect(readConfig({ DATABASE_URL, ENGRAM_QUEUE: 'postgres' }).queue).toEqual({
      kind: 'postgres',
      url: DATABASE_URL,
    });
    expect(readConfig({ DATABASE_URL, ENGRAM_WORKER: 'off' }).worker).toBe(false);
  });

  it('lets a worker run beside the app, whatever the app says of its callers, but not on the embedded database', () => {
    const DATABASE_URL = 'postgres://app:pw@db:5432/app';
    expect(readWorkerConfig({ DATABASE_URL, HOST: '0.0.0.0' })).toMatchObject({ queue: { kind: 'in-process' } });
    expect(() => readWorkerConfig({})).toThrow(/embedded database belongs to one process\. Set DATABASE_URL/);
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
    ['REDIS_URL', { REDIS_URL: '' }],
    ['REDIS_URL', { REDIS_URL: 'localhost:6379' }],
    ['REDIS_URL', { REDIS_URL: 'http://:hunter2@localhost:6379' }],
    ['ENGRAM_QUEUE', { ENGRAM_QUEUE: '' }],
    ['ENGRAM_QUEUE', { ENGRAM_QUEUE: 'rabbitmq', DATABASE_URL: 'postgres://db/app' }],
    ['ENGRAM_QUEUE', { ENGRAM_QUEUE: 'postgres' }],
    ['ENGRAM_QUEUE', { ENGRAM_QUEUE: 'postgres', DATABASE_URL: 'postgres://db/app', REDIS_URL: 'redis://:hunter2@r' }],
    ['ENGRAM_WORKER', { ENGRAM_WORKER: 'no', DATABASE_URL: 'postgres://db/app' }],
    ['ENGRAM_WORKER', { ENGRAM_WORKER: 'off' }],
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
