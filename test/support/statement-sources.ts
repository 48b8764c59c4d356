import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../src/storage/postgres/statements/', import.meta.url);

export const flat = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

/** What a file is made of beside SQL. */
const CODE = /\b(?:const|export|import|readonly|return)\b|=>/;

/** The statements' files with a piece of SQL about tenant and scope that is in none of what was sent. */
export function filesNotSent(sent: Iterable<string>): string[] {
  const seen = [...sent].map(flat);
  return readdirSync(FOLDER).filter((file) => {
    const source = readFileSync(new URL(file, FOLDER), 'utf8').replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    // What stands between two `${...}` is in the source as it is sent.
    const pieces = source.split(/`|\$\{[^}]*\}|\}/).filter((piece) => piece.includes('tenant_id') && !CODE.test(piece));
    return pieces.map(flat).some((piece) => !seen.some((sql) => sql.includes(piece)));
  });
}
