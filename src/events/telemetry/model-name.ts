/** A provider and its model, by the names that OpenTelemetry gives them. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
  /** Of an embedder's vectors; null for a completion. */
  readonly dimensions: number | null;
}

/** Reads a completion's name (`provider:model`). A model's own name may have colons. */
export function completionModel(name: string): ModelName {
  const [provider = name, ...model] = name.split(':');
  return { provider, model: model.join(':') || provider, dimensions: null };
}

/** Reads an embedder's space (`provider:model:dimensions`). */
export function embeddingModel(space: string): ModelName {
  const end = space.lastIndexOf(':');
  return { ...completionModel(space.slice(0, end)), dimensions: Number(space.slice(end + 1)) };
}
