/** What the owner of a scope has set. */
export interface ScopeSettings {
  /** False: nothing is learned, stored or recalled; what is there can still be seen and forgotten. @default true */
  readonly enabled: boolean;
}
