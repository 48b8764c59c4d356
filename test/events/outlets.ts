import type { LoggerService } from '@nestjs/common';
import { inspect } from 'node:util';

/** What may be seen of an app from outside, piece by piece: each with where it came out. */
export class Outlets implements LoggerService {
  private readonly pieces: { readonly outlet: string; readonly text: string }[] = [];

  /** Keeps everything that is reachable from a value, also what no JSON would show. */
  show(outlet: string, ...values: unknown[]): void {
    const text = values.map((value) =>
      typeof value === 'string'
        ? value
        : inspect(value, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null }),
    );
    this.pieces.push({ outlet, text: text.join(' ') });
  }

  /** The outlets at which one of the words came out, with what came out there. */
  leaks(words: readonly string[]): string[] {
    return this.pieces
      .filter(({ text }) => words.some((word) => text.toLowerCase().includes(word.toLowerCase())))
      .map(({ outlet, text }) => `${outlet}: ${text.slice(0, 300)}`);
  }

  /** Outlets at which something came out. */
  get seen(): ReadonlySet<string> {
    return new Set(this.pieces.map(({ outlet }) => outlet));
  }

  readonly log = (...parts: unknown[]): void => this.show('log', ...parts);
  readonly error = this.log;
  readonly warn = this.log;
  readonly debug = this.log;
  readonly verbose = this.log;
  readonly fatal = this.log;
}
