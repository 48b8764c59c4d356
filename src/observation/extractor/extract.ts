import type { ExtractionInput } from '../../completion/completion.js';
import type { MemoryContext } from '../../memory/memory-context.js';
import { measured } from '../../memory/telemetry.js';
import type { Candidate } from '../../model/decision.js';
import type { Scope } from '../../model/scope.js';
import { isSmallTalk } from '../../model/small-talk.js';
import { askModel } from '../ask-model.js';
import { EXTRACTION_SCHEMA, extractionPrompt } from './extraction-prompt.js';
import { parseCandidates } from './parse-candidates.js';

/** Candidates of a turn; none, without a call, where no user said anything worth asking about. */
export async function extract(
  context: MemoryContext,
  scope: Scope,
  input: ExtractionInput,
): Promise<readonly Candidate[]> {
  const worthAsking = input.messages.some(
    ({ role, content }) => role === 'user' && content.trim() !== '' && !isSmallTalk(content),
  );
  if (!worthAsking) return [];
  const detail = { candidates: 0, inputTokens: 0, outputTokens: 0 };
  const { candidates } = await measured(
    context,
    'engram.extract',
    scope,
    detail,
    () =>
      askModel(
        context,
        { task: 'extract', input, prompt: extractionPrompt(input), schema: EXTRACTION_SCHEMA },
        detail,
        (text) => parseCandidates(text, input.messages, context.settings.limits),
      ),
    ({ candidates: found }) => ({ ...detail, candidates: found.length }),
  );
  return candidates;
}
