/** What people say around a secret; the group `secret` alone is the secret. */
export interface SpokenRule {
  readonly pattern: RegExp;
  readonly isSecret: (value: string, after: string) => boolean;
}
