import type { ExtractionInput } from '../../completion/completion.js';
import type { MemoryContext } from '../../memory/memory-context.js';
import { measured } from '../../memory/telemetry.js';
import type { Candidate } from '../../model/decision.js';
import type { MemoryKind } from '../../model/kind.js';
import type { Scope } from '../../model/scope.js';
import { addTokens, askModel } from '../ask-model.js';
import type { TokenTally } from '../ask-model.js';
import { EXTRACTION_SCHEMA, extractionPrompt } from './extraction-prompt.js';
import { parseCandidates } from './parse-candidates.js';
import type { ParsedCandidates } from './parse-candidates.js';

/**
 * Candidates of one turn or several. Null, without a call, where the gate sees nothing worth asking about. What the call
 * cost is added to `tally`.
 */
export async function extract(
  context: MemoryContext,
  scope: Scope,
  input: ExtractionInput,
  tally: TokenTally,
): Promise<readonly Candidate[] | null> {
  if (!context.settings.observation.gate(input.messages)) return null;
  const detail = { candidates: 0, kinds: [], dropped: 0, inputTokens: 0, outputTokens: 0 };
  try {
    const { candidates } = await ask(context, scope, input, detail);
    return candidates;
  } finally {
    addTokens(tally, detail);
  }
}

function ask(
  context: MemoryContext,
  scope: Scope,
  input: ExtractionInput,
  detail: TokenTally & { candidates: number; kinds: readonly MemoryKind[]; dropped: number },
): Promise<ParsedCandidates> {
  return measured(
    context,
    'engram.extract',
    scope,
    detail,
    () =>
      askModel(
        context,
        { task: 'extract', input, prompt: extractionPrompt(input), schema: EXTRACTION_SCHEMA },
        detail,
        (text) => parseCandidates(text, input, context.settings.limits),
      ),
    ({ candidates, dropped }) => ({
      ...detail,
      candidates: candidates.length,
      kinds: [...new Set(candidates.map(({ kind }) => kind))],
      dropped,
    }),
  );
}
