import type { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretSpan } from '../../model/secret-span.js';

type Rule = (typeof presetRules)[number];
type RuleContext = Parameters<Rule['create']>[0];
type RuleSource = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0];

const IGNORED = (): void => undefined;

let loading: Promise<readonly Rule[]> | undefined;

/**
 * The scanners of the preset, read once per process on first use. Its filter rule is left out: with it a
 * `secretlint-disable` comment in a memory would switch the check off.
 */
function scanners(): Promise<readonly Rule[]> {
  loading ??= import('@secretlint/secretlint-rule-preset-recommend').then(({ rules }) =>
    rules.filter((rule) => rule.meta.type === 'scanner'),
  );
  return loading;
}

/** Loads the rules ahead of the first check. */
export async function loadSecretlintRules(): Promise<void> {
  await scanners();
}

/**
 * What secretlint's recommended rules find. The rules are run directly and not by `@secretlint/core`, whose profiler
 * keeps a performance mark of every rule of every call (and of the host's own marks) for the life of the process.
 */
export async function findSecretlintSecrets(text: string): Promise<SecretSpan[]> {
  const found: SecretSpan[] = [];
  const context: RuleContext = {
    sharedOptions: {},
    createTranslator: () => (messageId) => ({ messageId: String(messageId), message: '', data: undefined }),
    report: ({ range: [start, end] }) => {
      found.push({ start, end });
    },
    ignore: IGNORED,
  };
  const source = textSource(text);
  for (const rule of await scanners()) await rule.create(context, {}).file?.(source);
  return found;
}

/** Text that stands in no file: rules that look for key files by their name find none. Lines and columns are not kept, only ranges are read. */
function textSource(content: string): RuleSource {
  const position = { line: 1, column: 0 };
  return {
    hasBOM: false,
    content,
    contentType: 'text',
    ext: '.txt',
    filePath: 'memory.txt',
    physicalFilePath: undefined,
    getFilePath: () => 'memory.txt',
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, content.length],
    rangeToLocation: () => ({ start: position, end: position }),
    positionToIndex: () => 0,
    indexToPosition: () => position,
  };
}
