import { InvalidOptionsError } from '../errors/invalid-options-error.js';

/** Bounds of one GraphQL request. Sizes of texts, pages and lists are `MemoryModule`'s limits. */
export interface MemoryGraphQLLimits {
  /** Deepest nesting of fields, introspection aside. @default 8 */
  readonly depth?: number;
  /** Most root fields of an operation, aliases and fragments counted. @default 20 */
  readonly rootFields?: number;
  /**
   * Most memory fields that the answers to a request can have: each row of a list counts, with the largest page where a
   * variable says how many, and ten rows where nothing does. The host's own fields cost nothing. @default 20000
   */
  readonly cost?: number;
  /** Most lexical tokens of a document; what is longer is not parsed. @default 4000 */
  readonly tokens?: number;
  /** Most subscriptions that one subject has open in one process. @default 50 */
  readonly subscriptions?: number;
  /** Most events that wait for one subscriber; with one more it is sent away, to connect and read again. @default 1000 */
  readonly eventBacklog?: number;
  /** Longest message that a client may send over a web socket, in bytes. @default 102400, as Express takes of JSON */
  readonly messageBytes?: number;
}

const DEFAULTS: Required<MemoryGraphQLLimits> = {
  depth: 8,
  rootFields: 20,
  cost: 20_000,
  tokens: 4_000,
  subscriptions: 50,
  eventBacklog: 1_000,
  messageBytes: 100 * 1024,
};

/** @throws InvalidOptionsError for a limit that is not a whole number from 1 */
export function resolveLimits(limits: MemoryGraphQLLimits = {}): Required<MemoryGraphQLLimits> {
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (!(name in DEFAULTS)) {
      throw new InvalidOptionsError(
        `limits.${name}`,
        `Option limits.${name} is unknown. Use ${Object.keys(DEFAULTS).join(', ')}.`,
      );
    }
    if (value !== undefined && !(typeof value === 'number' && Number.isInteger(value) && value >= 1)) {
      throw new InvalidOptionsError(
        `limits.${name}`,
        `Option limits.${name} must be a whole number from 1. Leave it out for the default.`,
      );
    }
  }
  return {
    depth: limits.depth ?? DEFAULTS.depth,
    rootFields: limits.rootFields ?? DEFAULTS.rootFields,
    cost: limits.cost ?? DEFAULTS.cost,
    tokens: limits.tokens ?? DEFAULTS.tokens,
    subscriptions: limits.subscriptions ?? DEFAULTS.subscriptions,
    eventBacklog: limits.eventBacklog ?? DEFAULTS.eventBacklog,
    messageBytes: limits.messageBytes ?? DEFAULTS.messageBytes,
  };
}
