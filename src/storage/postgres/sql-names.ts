/** Names that stand in every statement. Quoted once, here, because an identifier cannot be a bound parameter. */
export interface SqlNames {
  /** Quoted schema of our tables. */
  readonly schema: string;
  /** Quoted schema in which pgvector lives: its types and operators may be off the search path. */
  readonly extension: string;
}

/** An SQL identifier in double quotes, safe for any name. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** An SQL text in quotes, for where no parameter can be bound; in the form in which a backslash means the same everywhere. */
export function quoteLiteral(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
