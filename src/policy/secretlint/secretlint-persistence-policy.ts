import { hash } from 'node:crypto';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { className } from '../../errors/class-name.js';
import { UnavailableError } from '../../errors/unavailable-error.js';
import type { Message } from '../../model/message.js';
import { findSecrets, maskSecrets, plainText } from '../../model/policy-rules.js';
import type { SecretSpan } from '../../model/secret-span.js';
import type { Rejection } from '../../model/rejection.js';
import { isTransientProgress } from '../../model/transient-progress.js';
import type { PersistencePolicy, PolicySubject } from '../persistence-policy.js';
import { findSecretlintSecrets, loadSecretlintRules } from './secretlint-rules.js';
import { findSeedPhrases } from './seed-phrases.js';

/** The host's own verdict: null keeps the memory, a text refuses it and is shown to people. */
export type HostPolicy = (subject: PolicySubject) => string | null | Promise<string | null>;

export interface SecretlintPersistencePolicyOptions {
  /**
   * Content that matches one of these is refused as `denylisted`. The patterns run on the event loop over content of at
   * most the configured length (500 code points by default), so write them without nested or overlapping repetition
   * (`(a+)+`, `\s*\s*`). The flags `g` and `y` are ignored.
   * @default []
   */
  readonly denylist?: readonly RegExp[];
  /** Asked last, about what everything else would keep. When it throws, nothing is kept. @default none */
  readonly hostPolicy?: HostPolicy;
  /** Refuses progress of a task at hand ("is running the tests") as `transient`. @default true */
  readonly refuseTransient?: boolean;
}

/** Clean texts kept in mind, about a hundred bytes each; past it all are read again. */
const CLEAN_MAX = 20_000;

const SECRET: Rejection = {
  reason: 'secret',
  message:
    'The text holds a credential, a payment number or an identity number, which is never kept: say it again without it.',
};
const TRANSIENT: Rejection = {
  reason: 'transient',
  message: 'The text tells the progress of a task at hand: only what stays true after it is kept.',
};
const DENYLISTED: Rejection = {
  reason: 'denylisted',
  message: "The text matches one of the app's denied patterns: leave that part out.",
};

/**
 * The default policy: refuses secrets (secretlint's recommended rules and our own, seed phrases of wallets), progress of a task at hand, the
 * host's denied patterns and what the host's hook refuses, in this order. Text is checked as it stands and with
 * invisible characters and fullwidth forms undone.
 *
 * A check of one sentence took 0.05 ms (2 cores, Node 20), 100 KB at most 23 ms; the first check reads the rules, 10 ms more.
 */
export class SecretlintPersistencePolicy implements PersistencePolicy {
  /** Digests of texts without a secret. The rules are fixed, so what was clean stays clean; no text is kept in memory. */
  private readonly clean = new Set<string>();
  private readonly denylist: readonly RegExp[];
  private readonly hostPolicy: HostPolicy | undefined;
  private readonly refuseTransient: boolean;

  /** @throws InvalidOptionsError when an entry of `denylist` is no RegExp */
  constructor(options: SecretlintPersistencePolicyOptions = {}) {
    this.denylist = (options.denylist ?? []).map((pattern, index) => {
      if (!(pattern instanceof RegExp)) {
        throw new InvalidOptionsError(
          `policy.denylist[${index}]`,
          `policy.denylist[${index}] is no RegExp: write a pattern such as /project x/iu.`,
        );
      }
      // A global or sticky pattern keeps its place between calls and would miss every other match.
      return new RegExp(pattern.source, pattern.flags.replace(/[gy]/gu, ''));
    });
    this.hostPolicy = options.hostPolicy;
    this.refuseTransient = options.refuseTransient ?? true;
  }

  /** Reads the rules ahead of the first check. Calling it is optional. */
  async start(): Promise<void> {
    await loadSecretlintRules();
  }

  /** @throws UnavailableError when the host's hook throws, or returns neither null nor a text */
  async check(subject: PolicySubject): Promise<Rejection | null> {
    const { content } = subject;
    const plain = plainText(content);
    if (await this.secretShows(content, plain)) return SECRET;
    if (this.denylist.some((pattern) => pattern.test(content) || pattern.test(plain))) return DENYLISTED;
    if (this.refuseTransient && isTransientProgress(plain)) return TRANSIENT;
    const refusal = await this.askHost(subject);
    return refusal === null ? null : { reason: 'host-policy', message: refusal };
  }

  /** A text that was found clean is not read again: the same memories are recalled again and again. */
  async holdsSecret(content: string): Promise<boolean> {
    const digest = hash('sha256', content, 'base64');
    if (this.clean.has(digest)) return false;
    if (await this.secretShows(content, plainText(content))) return true;
    if (this.clean.size >= CLEAN_MAX) this.clean.clear();
    this.clean.add(digest);
    return false;
  }

  /** Roles, order and number of messages stay; text without a secret stays as it is. */
  async mask(messages: readonly Message[]): Promise<Message[]> {
    const masked: Message[] = [];
    for (const message of messages) masked.push({ ...message, content: await this.maskText(message.content) });
    return masked;
  }

  private async maskText(text: string): Promise<string> {
    const visible = maskSecrets(text, await this.secretsIn(text));
    const plain = plainText(visible);
    if (plain === visible) return visible;
    // What shows only with invisible characters undone has no place in the text as written: the undone text is kept.
    const hidden = await this.secretsIn(plain);
    return hidden.length === 0 ? visible : maskSecrets(plain, hidden);
  }

  private async secretShows(content: string, plain: string): Promise<boolean> {
    if ((await this.secretsIn(content)).length > 0) return true;
    return plain !== content && (await this.secretsIn(plain)).length > 0;
  }

  private async secretsIn(text: string): Promise<SecretSpan[]> {
    return [...findSecrets(text), ...(await findSecretlintSecrets(text)), ...(await findSeedPhrases(text))];
  }

  private async askHost(subject: PolicySubject): Promise<string | null> {
    if (this.hostPolicy === undefined) return null;
    let refusal: unknown;
    try {
      refusal = await this.hostPolicy(subject);
    } catch (error) {
      // Without the error itself, which may quote the text, and which a logger would print.
      throw new UnavailableError(
        `policy.hostPolicy threw what is a ${className(error)}, so nothing was kept: repair the hook, then retry.`,
      );
    }
    if (refusal === null || typeof refusal === 'string') return refusal;
    throw new UnavailableError(
      `policy.hostPolicy returned ${typeof refusal === 'object' ? 'an object' : typeof refusal}, so nothing was kept: it must return null to keep, or a text that says why not.`,
    );
  }
}
