import type { Scope } from '../../model/scope.js';
import type { LocalSettings } from './statements/set-local.js';

export interface RowLevelSecurityOptions {
  /**
   * Role that every statement of a scope runs as, `SET LOCAL` to it in its transaction. For a connection that is a
   * superuser's, or that owns more than an app should touch. The migrations create it where it is missing and grant it
   * what it needs. @default the connection's own role
   */
  readonly role?: string;
  /**
   * Role that looks for due turns and rows over all scopes; it reads keys and times, and changes the state of turns. The
   * migrations create it where it is missing. Roles belong to the whole server. @default '<schema>_sweeper'
   */
  readonly sweeper?: string;
}

/** Row level security with every name settled. */
export interface RowLevelSecurity {
  /** Null: statements of a scope run as the connection's own role. */
  readonly role: string | null;
  readonly sweeper: string;
}

/** @returns null where it is off */
export function resolveRowLevelSecurity(
  option: boolean | RowLevelSecurityOptions | undefined,
  schema: string,
): RowLevelSecurity | null {
  if (option === undefined || option === false) return null;
  const { role = null, sweeper = `${schema}_sweeper` } = option === true ? {} : option;
  return { role, sweeper };
}

/** What the policies compare each row with. A transaction that did not say its scope sees nothing. */
export function scopeSettings({ tenantId, scope }: Scope): LocalSettings {
  return { 'engram.tenant_id': tenantId, 'engram.scope': scope };
}
