import { DeterministicEmbedder } from 'nestjs-engram/testing';
import type { EmbedOptions } from 'nestjs-engram';

/** A place where the first one that comes waits until it is let through; later ones pass. */
export class Gate {
  /** Resolves when somebody waits. */
  readonly reached: Promise<void>;
  private readonly opened: Promise<void>;
  private arrive: () => void = () => undefined;
  private letThrough: () => void = () => undefined;

  constructor() {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
    this.opened = new Promise((resolve) => (this.letThrough = resolve));
  }

  pass(): Promise<void> {
    this.arrive();
    return this.opened;
  }

  open(): void {
    this.letThrough();
  }
}

/** Embeds like its parent, counts the texts, and waits at a gate where one is set. */
export class GatedEmbedder extends DeterministicEmbedder {
  gate: Gate | null = null;
  texts = 0;

  override async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<number[][]> {
    this.texts += texts.length;
    await this.gate?.pass();
    return super.embedDocuments(texts, options);
  }
}
