import { createHash } from 'node:crypto';
import pg from 'pg';

/** Before a statement goes to the server, when it has gone, and when its answer is there but nobody has seen it. */
export const MOMENTS = ['before', 'sent', 'answered'] as const;
export type Moment = (typeof MOMENTS)[number];

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/**
 * Tells of every statement that this process sends through pg from now on, whoever sends it.
 * @param seen may return a promise before a statement, which then waits for it
 */
export function watchStatements(seen: (statement: string, moment: Moment) => Promise<void> | undefined): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const last = new WeakMap<pg.Client, string>();

  prototype.query = function (...given) {
    const [first] = given;
    const text = typeof first === 'string' ? first : ((first as { text?: string } | null)?.text ?? '');
    const statement = statementName(text, last.get(this) ?? 'nothing');
    // What a commit ends is what tells one commit from another.
    if (!text.includes('set_config')) last.set(this, statement);

    const send = (): unknown => {
      const result = query.apply(this, given);
      setImmediate(() => void seen(statement, 'sent'));
      if (!(result instanceof Promise)) return result;
      return result.then((answer: unknown) => {
        void seen(statement, 'answered');
        return answer;
      });
    };
    const wait = seen(statement, 'before');
    return wait ? wait.then(send) : send();
  };
}

/** Short and the same in every process: what is done to which table, and four figures that tell two of a kind apart. */
function statementName(text: string, before: string): string {
  const flat = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  if (/^(?:COMMIT|ROLLBACK)$/.test(flat)) return `${flat} of ${before}`;
  const [, verb = '', table = ''] =
    /\b(UPDATE|INSERT INTO|DELETE FROM) "?\w+"?\."?(memory\w*|memories)/.exec(flat) ??
    /\b(FROM) "?\w+"?\."?(memory\w*|memories)/.exec(flat) ??
    [];
  if (table === '') return flat.replace(/\$\d+/g, '?').slice(0, 40);
  const lock = /FOR (?:NO KEY UPDATE|KEY SHARE|SHARE|UPDATE)(?: SKIP LOCKED)?/.exec(flat)?.[0] ?? '';
  const shape = createHash('sha256')
    .update(flat.replace(/(?:\(\$[^()]*\),? ?)+/g, '(?)'))
    .digest('hex');
  return [verb.replace(/^FROM$/, 'SELECT FROM'), table, lock, shape.slice(0, 4)].filter(Boolean).join(' ');
}
