/** The part of jest, vitest and their like that the contracts use. */
export interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void> | void): void;
  beforeAll(body: () => Promise<void>): void;
  afterAll(body: () => Promise<void> | void): void;
}

/** The runner's globals, read when a contract is called: the doubles beside it load in a process without any runner. */
export function testRunner(): TestRunner {
  return globalThis as unknown as TestRunner;
}
