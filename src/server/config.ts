import { isIP } from 'node:net';
import { InvalidOptionsError } from '../errors/invalid-options-error.js';

/** What the app runs on, read from the environment. */
export interface AdapterConfig {
  readonly database:
    { readonly kind: 'embedded'; readonly dataDir: string } | { readonly kind: 'postgres'; readonly url: string };
  /** Null: the local embedder and rule-based extraction. */
  readonly openAi: OpenAiConfig | null;
  readonly queue: QueueConfig;
}

/** How the app is run. */
export interface ServerConfig extends AdapterConfig {
  readonly host: string;
  /** 0: one that is free. */
  readonly port: number;
  readonly identity: IdentityConfig;
  /** Whether this process works turns, or leaves them to `npm run worker`. */
  readonly worker: boolean;
}

export type QueueConfig =
  { readonly kind: 'in-process' } | { readonly kind: 'redis' | 'postgres'; readonly url: string };

export interface OpenAiConfig {
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
  readonly embedModel: string;
  /** Undefined: the model's own, where it is one of OpenAI's. */
  readonly embedDimensions: number | undefined;
  readonly completionModel: string;
}

export type IdentityConfig =
  | { readonly kind: 'loopback' }
  | { readonly kind: 'jwt-secret'; readonly secret: string }
  | { readonly kind: 'jwks'; readonly url: URL };

export type Environment = Readonly<Record<string, string | undefined>>;

/** OpenAI's own embedding models, whose dimensions the adapter knows. */
const KNOWN_EMBED_MODEL = /^text-embedding-(3-small|3-large|ada-002)$/;

/** Undefined where it is not set; set but blank is a mistake that must not read as "off". */
function text(env: Environment, name: string): string | undefined {
  const value = env[name];
  if (value === undefined) return undefined;
  if (value.trim() === '')
    throw new InvalidOptionsError(name, `${name} is set but empty. Unset it, or give it a value.`);
  return value.trim();
}

function whole(env: Environment, name: string, min: number, max: number): number | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new InvalidOptionsError(name, `${name} must be a whole number from ${min} to ${max}.`);
  }
  return number;
}

function url(env: Environment, name: string, protocols: readonly string[]): URL | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  // The value is not quoted back: a database URL holds a password.
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new InvalidOptionsError(
      name,
      `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  }
  return new URL(value);
}

/** Whether only this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1';
}

function identity(env: Environment, host: string): IdentityConfig {
  const secret = text(env, 'ENGRAM_JWT_SECRET');
  const jwks = url(env, 'ENGRAM_JWKS_URL', ['https:', 'http:']);
  if (secret !== undefined && jwks) {
    throw new InvalidOptionsError(
      'ENGRAM_JWKS_URL',
      'ENGRAM_JWT_SECRET and ENGRAM_JWKS_URL are both set, so it is unclear which tokens count. Unset one of them.',
    );
  }
  if (secret !== undefined) return { kind: 'jwt-secret', secret };
  if (jwks) return { kind: 'jwks', url: jwks };
  if (!isLoopback(host)) {
    throw new InvalidOptionsError(
      'HOST',
      'HOST is reachable from other machines, but nothing says who calls. Set ENGRAM_JWT_SECRET or ENGRAM_JWKS_URL, or leave HOST at 127.0.0.1.',
    );
  }
  return { kind: 'loopback' };
}

function openAi(env: Environment): OpenAiConfig | null {
  const apiKey = text(env, 'OPENAI_API_KEY');
  const baseUrl = url(env, 'OPENAI_BASE_URL', ['https:', 'http:'])?.href;
  const embedModel = text(env, 'ENGRAM_EMBED_MODEL') ?? 'text-embedding-3-small';
  const embedDimensions = whole(env, 'ENGRAM_EMBED_DIMENSIONS', 1, 16_000);
  const completionModel = text(env, 'ENGRAM_COMPLETION_MODEL') ?? 'gpt-4o-mini';
  if (apiKey === undefined && baseUrl === undefined) return null;
  if (embedDimensions === undefined && !KNOWN_EMBED_MODEL.test(embedModel)) {
    throw new InvalidOptionsError(
      'ENGRAM_EMBED_DIMENSIONS',
      "ENGRAM_EMBED_DIMENSIONS is not set, and ENGRAM_EMBED_MODEL is not one of OpenAI's. Say how long its vectors are.",
    );
  }
  // A service on one's own machine asks for no key; the client will not start without one.
  return { apiKey: apiKey ?? 'none', baseUrl, embedModel, embedDimensions, completionModel };
}

function queue(env: Environment, databaseUrl: string | undefined): QueueConfig {
  const redis = url(env, 'REDIS_URL', ['redis:', 'rediss:'])?.href;
  const chosen = text(env, 'ENGRAM_QUEUE');
  if (chosen === undefined) return redis === undefined ? { kind: 'in-process' } : { kind: 'redis', url: redis };
  if (chosen !== 'postgres') {
    throw new InvalidOptionsError(
      'ENGRAM_QUEUE',
      'ENGRAM_QUEUE can only be postgres. Unset it for the queue in the process, or set REDIS_URL for one on Redis.',
    );
  }
  if (redis !== undefined) {
    throw new InvalidOptionsError(
      'ENGRAM_QUEUE',
      'ENGRAM_QUEUE is postgres, but REDIS_URL is set too, so it is unclear which queue is meant. Unset one of them.',
    );
  }
  if (databaseUrl === undefined) {
    throw new InvalidOptionsError(
      'ENGRAM_QUEUE',
      'ENGRAM_QUEUE is postgres, but the embedded database cannot carry a queue. Set DATABASE_URL, or unset ENGRAM_QUEUE.',
    );
  }
  return { kind: 'postgres', url: databaseUrl };
}

function worker(env: Environment, { database }: AdapterConfig): boolean {
  const chosen = text(env, 'ENGRAM_WORKER') ?? 'on';
  if (chosen !== 'on' && chosen !== 'off')
    throw new InvalidOptionsError('ENGRAM_WORKER', 'ENGRAM_WORKER must be on or off. Leave it out for on.');
  if (chosen === 'off' && database.kind === 'embedded') {
    throw new InvalidOptionsError(
      'ENGRAM_WORKER',
      'ENGRAM_WORKER is off, but no other process can work on the embedded database. Set DATABASE_URL, or unset ENGRAM_WORKER.',
    );
  }
  return chosen === 'on';
}

function adapterConfig(env: Environment): AdapterConfig {
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href;
  const dataDir = text(env, 'ENGRAM_DATA_DIR') ?? '.engram';
  return {
    database: databaseUrl === undefined ? { kind: 'embedded', dataDir } : { kind: 'postgres', url: databaseUrl },
    openAi: openAi(env),
    queue: queue(env, databaseUrl),
  };
}

/** @throws InvalidOptionsError naming the variable and the way out */
export function readConfig(env: Environment): ServerConfig {
  const host = text(env, 'HOST') ?? '127.0.0.1';
  const adapters = adapterConfig(env);
  return {
    ...adapters,
    host,
    port: whole(env, 'PORT', 0, 65_535) ?? 3000,
    identity: identity(env, host),
    worker: worker(env, adapters),
  };
}

/** For a process that only works turns. @throws InvalidOptionsError as `readConfig`, and for the embedded database */
export function readWorkerConfig(env: Environment): AdapterConfig {
  const adapters = adapterConfig(env);
  if (adapters.database.kind === 'embedded') {
    throw new InvalidOptionsError(
      'DATABASE_URL',
      'A worker is a process beside the app, and the embedded database belongs to one process. Set DATABASE_URL for both, or let the app work its turns by itself, as it does anyway.',
    );
  }
  return adapters;
}
