/** An embedding model as LangChain knows one, whose vectors are given. */
export interface GivenVectors {
  readonly dimensions: number;
  embedQuery(text: string): Promise<number[]>;
  embedDocuments(texts: string[]): Promise<number[][]>;
}
