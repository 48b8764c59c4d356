import type { Message, ObserveInput, Observation, RecallInput } from 'nestjs-engram';
import type { ChatMemory } from 'nestjs-engram/openai';

export interface HandedIn {
  readonly messages: readonly Message[];
  readonly options: ObserveInput;
}

export const BLOCK = '<engram-memories>\nknown\n</engram-memories>';

const ACCEPTED: Observation = { turnId: 't', status: 'pending', duplicate: false, decisions: [], error: null };

/** A memory that says always the same and keeps what it is asked and told. */
export class ListeningMemory implements ChatMemory {
  readonly queries: { readonly query: string; readonly options: RecallInput }[] = [];
  readonly handedIn: HandedIn[] = [];
  limits?: ChatMemory['limits'];
  recall: () => Promise<string> = () => Promise.resolve(BLOCK);
  accept: () => Promise<Observation> = () => Promise.resolve(ACCEPTED);

  promptBlock(query: string, options: RecallInput = {}): Promise<string> {
    this.queries.push({ query, options });
    return this.recall();
  }

  observeLater(messages: readonly Message[], options: ObserveInput = {}): Promise<Observation> {
    this.handedIn.push({ messages, options });
    return this.accept();
  }

  /** What was handed in, as `role: text` lines, one list a turn. */
  get turns(): string[][] {
    return this.handedIn.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`));
  }
}
