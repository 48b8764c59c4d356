import { readFileSync } from 'node:fs';

/** Question categories of LoCoMo; the fifth, adversarial, has no answer and is left out. */
export const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
};

/** A text that may be remembered, and the dialogue turns that it holds. */
export interface LocomoText {
  readonly content: string;
  readonly turns: readonly string[];
}

export interface LocomoQuestion {
  readonly ask: string;
  readonly category: number;
  /** Ids of the turns that answer it; at least one. */
  readonly evidence: readonly string[];
}

export interface LocomoConversation {
  readonly id: string;
  /** "speaker: text", one per turn. */
  readonly turns: readonly LocomoText[];
  /** Self-contained sentences, with the turns they came from. */
  readonly facts: readonly LocomoText[];
  readonly questions: readonly LocomoQuestion[];
}

interface RawConversation {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly observation: Readonly<
    Record<string, Readonly<Record<string, readonly (readonly [string, string | string[]])[]>>>
  >;
  readonly qa: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence?: readonly string[];
  }[];
}

interface RawTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

/** Reads the dataset from where it lies. Evidence that names no turn is dropped, and so is a question left without any. */
export function readLocomo(file: string): LocomoConversation[] {
  const raw = JSON.parse(readFileSync(file, 'utf8')) as readonly RawConversation[];
  return raw.map(({ sample_id, conversation, observation, qa }) => {
    const turns = Object.entries(conversation)
      .filter(([name]) => /^session_\d+$/.test(name))
      .flatMap(([, session]) => session as readonly RawTurn[])
      .map(({ speaker, dia_id, text }) => ({ content: `${speaker}: ${text}`, turns: [dia_id] }));
    const facts = Object.values(observation)
      .flatMap((speakers) => Object.values(speakers).flat())
      .map(([content, from]) => ({ content, turns: turnIds([from].flat()) }));
    const known = new Set(turns.flatMap((turn) => turn.turns));
    const questions = qa
      .filter(({ category }) => category in CATEGORIES)
      .map(({ question, category, evidence }) => ({
        ask: question,
        category,
        evidence: [...new Set(turnIds(evidence ?? []))].filter((id) => known.has(id)),
      }))
      .filter(({ evidence }) => evidence.length > 0);
    return { id: sample_id, turns, facts, questions };
  });
}

/** Ids as they are meant: several in one string ("D9:1 D4:4"), with zeros ("D30:05") or a colon too many ("D:11:26"). */
export function turnIds(written: readonly string[]): string[] {
  return written.flatMap((text) =>
    [...text.matchAll(/D:?(\d+):0*(\d+)/g)].map(([, session, turn]) => `D${session}:${turn}`),
  );
}
