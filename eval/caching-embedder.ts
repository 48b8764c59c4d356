import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EmbedOptions, Embedder, EmbedderCalibration } from '../src/embedding/embedder.js';

/** A real embedder that embeds each text once, and, given a file, once for all runs. The file holds hashes, no text. */
export class CachingEmbedder implements Embedder {
  readonly space: string;
  readonly dimensions: number;
  readonly calibration: EmbedderCalibration;
  private readonly known = new Map<string, Float32Array>();
  private learned = 0;

  constructor(
    private readonly inner: Embedder,
    private readonly file: string | null,
  ) {
    this.space = inner.space;
    this.dimensions = inner.dimensions;
    this.calibration = inner.calibration;
    if (file !== null && existsSync(file)) this.read(readFileSync(file));
  }

  async start(): Promise<void> {
    await this.inner.start?.();
  }

  async stop(): Promise<void> {
    this.save();
    await this.inner.stop?.();
  }

  canSearch(query: string): boolean {
    return this.inner.canSearch?.(query) ?? true;
  }

  async embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<number[][]> {
    const missing = [...new Set(texts)].filter((text) => !this.known.has(this.key('document', text)));
    const vectors = await this.inner.embedDocuments(missing, options);
    missing.forEach((text, i) => this.keep(this.key('document', text), vectors[i] as number[]));
    return texts.map((text) => this.vector(this.key('document', text)));
  }

  async embedQuery(text: string, options?: EmbedOptions): Promise<number[]> {
    const key = this.key('query', text);
    if (!this.known.has(key)) this.keep(key, await this.inner.embedQuery(text, options));
    return this.vector(key);
  }

  private vector(key: string): number[] {
    return Array.from(this.known.get(key) as Float32Array);
  }

  private keep(key: string, vector: readonly number[]): void {
    this.known.set(key, Float32Array.from(vector));
    this.learned += 1;
  }

  private key(role: 'document' | 'query', text: string): string {
    return createHash('sha256').update(`${this.space} ${role} ${text}`).digest('hex');
  }

  private read(bytes: Buffer): void {
    const record = 32 + 4 * this.dimensions;
    for (let at = 0; at + record <= bytes.length; at += record) {
      const values = new Uint8Array(bytes.subarray(at + 32, at + record));
      this.known.set(bytes.subarray(at, at + 32).toString('hex'), new Float32Array(values.buffer));
    }
  }

  private save(): void {
    if (this.file === null || this.learned === 0) return;
    const records: Buffer[] = [];
    for (const [key, vector] of this.known) records.push(Buffer.from(key, 'hex'), Buffer.from(vector.buffer));
    mkdirSync(dirname(this.file), { recursive: true });
    // Whole or not at all: an interrupted run must not leave half a record behind.
    writeFileSync(`${this.file}.part`, Buffer.concat(records));
    renameSync(`${this.file}.part`, this.file);
    this.learned = 0;
  }
}
