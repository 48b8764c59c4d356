/** What a graphql-ws client sent under a name, however it is spelled: header names have no case either. */
export function connectionValues(params: Readonly<Record<string, unknown>>, name: string): unknown[] {
  return Object.entries(params)
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value);
}
