import type { CompletionRequest, CompletionResult } from '../../completion/completion.js';
import type { ScopedMemory } from '../../memory/scoped-memory.js';
import type { AppliedDecision } from '../../model/decision.js';
import type { Memory } from '../../model/memory.js';
import { promptBlock } from '../../model/prompt-block.js';
import { parseCandidates } from '../../observation/extractor/parse-candidates.js';
import type { StoryDay } from './story.js';

function line(label: string, text: string): void {
  console.log(`  ${label.padEnd(10)} ${text}`);
}

function described({ content, kind, importance }: Pick<Memory, 'content' | 'kind' | 'importance'>): string {
  return `${content}  [${kind}, importance ${importance.toFixed(1)}]`;
}

/** Prints what extraction found, as it was answered. */
export function showExtracted(request: CompletionRequest, { text }: CompletionResult): void {
  if (request.task !== 'extract') return;
  const { candidates } = parseCandidates(text, request.input, { candidates: 50, contentLength: 500 });
  for (const candidate of candidates) line('extracted', described(candidate));
  if (candidates.length === 0) line('extracted', 'nothing');
}

async function showStored(
  memory: ScopedMemory,
  { action, memoryId }: AppliedDecision,
  before: ReadonlyMap<string, Memory>,
): Promise<void> {
  const now = memoryId === null ? null : await memory.get(memoryId);
  const old = memoryId === null ? undefined : before.get(memoryId);
  if (action === 'update' && now && old)
    line('updated', `${old.content}  ->  ${described(now)}, version ${now.version}`);
  else if (action === 'add' && now) line('stored', described(now));
  else line('decided', `${action} ${(now ?? old)?.content ?? ''}`.trim());
}

async function tell(memory: ScopedMemory, said: string, occurredAt: Date): Promise<void> {
  line('user says', said);
  const { memories } = await memory.list({ first: 100 });
  const before = new Map(memories.map((known) => [known.id, known]));
  const { status, decisions, error } = await memory.observe([{ role: 'user', content: said }], { occurredAt });
  for (const decision of decisions) await showStored(memory, decision, before);
  line('turn', error === null ? status : `${status} (${error})`);
  console.log();
}

async function ask(memory: ScopedMemory, question: string): Promise<void> {
  line('user asks', question);
  const recalled = await memory.recall(question);
  for (const { memory: found, score, distance } of recalled) {
    const nearness = distance === null ? 'by words' : `distance ${distance.toFixed(2)}`;
    line('recalled', `${score.toFixed(2)}  ${found.content}  (${nearness})`);
  }
  if (recalled.length === 0) line('recalled', 'nothing');
  const block = promptBlock(recalled.map(({ memory: found }) => found));
  for (const row of block === '' ? [] : block.split('\n')) line('prompt', row);
  console.log();
}

/** Lives through one day and prints what happened. */
export async function tellDay(memory: ScopedMemory, { day, says, asks }: StoryDay, date: Date): Promise<void> {
  console.log(`Day ${day}, ${date.toISOString().slice(0, 10)}, process ${process.pid}`);
  const { totalCount } = await memory.list({ first: 1 });
  line('remembers', `${totalCount} ${totalCount === 1 ? 'memory' : 'memories'}`);
  console.log();
  for (const said of says) await tell(memory, said, date);
  for (const question of asks) await ask(memory, question);
}
