import { createRequire } from 'node:module';
import { InvalidOptionsError } from '../errors/invalid-options-error.js';

/** What both OpenAI adapters need to know of the service. */
export interface OpenAiServiceOptions<Client> {
  /** The host's own client (`new OpenAI()`, or anything of that shape). Default: one made from `apiKey` and `baseURL`. */
  readonly client?: Client;
  /** Needed without `client`; a service that asks for none takes any text. */
  readonly apiKey?: string;
  /** Default: the client's own (`OPENAI_BASE_URL`, else api.openai.com). */
  readonly baseURL?: string;
  /**
   * Whose service it is, without a colon; part of a vector's space. Name another one when `baseURL` points to a service
   * that serves other weights under the same model name. Default `openai`.
   */
  readonly provider?: string;
  readonly model: string;
  /** Milliseconds for one request with all its retries, at most 600,000. */
  readonly timeoutMs?: number;
  /** Retries after rate limits, connection faults and 5xx, 0-10. Default 2. */
  readonly maxRetries?: number;
}

/** The options that the call itself needs, checked. */
export interface OpenAiService {
  readonly provider: string;
  readonly model: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

/** @throws InvalidOptionsError that names the option as `owner.option` */
export function resolveService<Client>(
  owner: string,
  options: OpenAiServiceOptions<Client>,
  defaultTimeoutMs: number,
): OpenAiService {
  const { provider = 'openai', model, timeoutMs = defaultTimeoutMs, maxRetries = 2 } = options;
  if (typeof model !== 'string' || model.trim() === '') {
    throw new InvalidOptionsError(`${owner}.model`, `${owner}.model is missing: name the model to ask.`);
  }
  if (provider.trim() === '' || provider.includes(':')) {
    throw new InvalidOptionsError(`${owner}.provider`, `${owner}.provider must be a name without a colon.`);
  }
  requireInteger(`${owner}.timeoutMs`, timeoutMs, 1, 600_000);
  requireInteger(`${owner}.maxRetries`, maxRetries, 0, 10);
  return { provider, model, timeoutMs, maxRetries };
}

/** @throws InvalidOptionsError unless `value` is an integer from `least` to `most` */
export function requireInteger(option: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new InvalidOptionsError(option, `${option} is ${String(value)}: give an integer from ${least} to ${most}.`);
  }
}

/**
 * The host's client, or one that is made at the first call: the package is loaded only by apps that call the service.
 * Retries and time-outs are ours (see `callOpenAi`).
 * @throws InvalidOptionsError at once when there is neither client nor key, or the package is not installed
 */
export function clientFor<Client>(owner: string, options: OpenAiServiceOptions<Client>): () => Promise<Client> {
  const { client, apiKey, baseURL } = options;
  if (client !== undefined) return () => Promise.resolve(client);
  if (apiKey === undefined || apiKey === '') {
    throw new InvalidOptionsError(`${owner}.apiKey`, `${owner} has neither client nor apiKey: give one of them.`);
  }
  try {
    createRequire(import.meta.url).resolve('openai');
  } catch (cause) {
    throw new InvalidOptionsError(
      `${owner}.client`,
      `${owner} needs the package openai, which is not installed: npm install openai.`,
      { cause },
    );
  }
  let made: Promise<Client> | undefined;
  return () => {
    made ??= import('openai').then(
      // Its debug log prints request bodies, which are memory text: no environment variable may turn it on.
      ({ OpenAI }) => new OpenAI({ apiKey, baseURL, maxRetries: 0, logLevel: 'warn' }) as Client,
    );
    return made;
  };
}
