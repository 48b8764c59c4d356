/** What a suite hands back: numbers by name, 0-1 or counts, and the same for people. */
export interface SuiteReport {
  readonly name: string;
  readonly measured: Readonly<Record<string, number>>;
  /** Tables and findings, ready to print. */
  readonly text: string;
  /** More than numbers by name, for the JSON file. */
  readonly detail?: unknown;
}
