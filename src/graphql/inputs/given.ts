/** An argument as GraphQL delivers it: absent or null where the schema allows it. */
export type Nullable<T> = { readonly [K in keyof T]?: T[K] | null };

/** The arguments that were given: null means absent, so the use case's own default holds. */
export function given<T extends object>(args: Nullable<T>): { readonly [K in keyof T]?: T[K] } {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined)) as {
    readonly [K in keyof T]?: T[K];
  };
}
