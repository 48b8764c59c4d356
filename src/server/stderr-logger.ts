import { ConsoleLogger } from '@nestjs/common';
import type { LogLevel } from '@nestjs/common';

/** Warnings and errors, on stderr: stdout belongs to the lines that say where the app listens. */
export class StderrLogger extends ConsoleLogger {
  constructor() {
    super({ logLevels: ['error', 'warn', 'fatal'] });
  }

  protected override printMessages(messages: unknown[], context?: string, logLevel?: LogLevel): void {
    super.printMessages(messages, context, logLevel, 'stderr');
  }
}
