import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { className } from '../../errors/class-name.js';
import { MemoryService } from '../../memory/memory.service.js';
import type { Scope } from '../../model/scope.js';
import type { PubSubBus } from './memory-event-bus.js';
import { missedMessage, toMessage, topicOf } from './memory-event-message.js';
import type { MemoryEventMessage } from './memory-event-message.js';

/** What carries events between processes, in the module that was given it. */
export const MEMORY_EVENT_PUB_SUB = Symbol('MEMORY_EVENT_PUB_SUB');

/** How soon a bus that failed is tried again, in milliseconds. */
const TRY_AGAIN_MS = 1_000;

/** Scopes of which it is remembered that events did not get through. */
const MISSED_MAX = 10_000;

/**
 * Puts the events of this process on the bus. One that does not get through is lost; those who follow its scope, in
 * whatever process, are told to read again as soon as the bus takes it.
 */
@Injectable()
export class MemoryEventRelay implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('MemorySubscriptions');
  private readonly missed = new Map<string, Scope>();
  private tryAgain: NodeJS.Timeout | null = null;
  private stopListening: () => void = () => undefined;

  constructor(
    @Inject(MemoryService) private readonly memories: MemoryService,
    @Inject(MEMORY_EVENT_PUB_SUB) private readonly bus: Pick<PubSubBus, 'publish'>,
  ) {}

  /** Before the worker starts, which learns from what waits at once. */
  onModuleInit(): void {
    this.stopListening = this.memories.onEvent((event) => {
      const message = toMessage(event);
      if (message) this.publish(message);
    });
  }

  /** After the turns that may still end: what came of them is news too. */
  onApplicationShutdown(): void {
    this.stopListening();
    if (this.tryAgain) clearTimeout(this.tryAgain);
  }

  /** Never waits and never fails. */
  private publish(message: MemoryEventMessage): void {
    const topic = topicOf(message);
    this.send(topic, message).catch((error: unknown) => {
      if (this.missed.size === 0) this.logger.warn(`Events do not get onto the bus: ${className(error)}.`);
      if (this.missed.size < MISSED_MAX) this.missed.set(topic, { tenantId: message.tenantId, scope: message.scope });
      this.sendMissedLater();
    });
  }

  private sendMissedLater(): void {
    this.tryAgain ??= setTimeout(() => {
      this.tryAgain = null;
      void this.sendMissed();
    }, TRY_AGAIN_MS).unref();
  }

  private async sendMissed(): Promise<void> {
    try {
      for (const [topic, scope] of this.missed) {
        await this.send(topic, missedMessage(scope));
        this.missed.delete(topic);
      }
      this.logger.log('Events get onto the bus again.');
    } catch {
      this.sendMissedLater();
    }
  }

  private async send(topic: string, payload: unknown): Promise<void> {
    await this.bus.publish(topic, payload);
  }
}
