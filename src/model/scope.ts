/** Whose memory. Matched by equality, always: `_ % : \` are plain characters. */
export interface Scope {
  /** A customer of the host app, 1-128 code points. */
  readonly tenantId: string;
  /** Whose memory inside the tenant, 1-256 code points: `user:42`, `team:7`. */
  readonly scope: string;
}

export const TENANT_ID_MAX = 128;
export const SCOPE_MAX = 256;

/** One text for a scope, by which maps and hashes know it: no names of a tenant and a scope can be joined to mean another's. */
export function scopeKey({ tenantId, scope }: Scope): string {
  return JSON.stringify([tenantId, scope]);
}
