/** The part of a test runner that suites need. vitest, `node:test` and jest all have it. */
export interface TestApi {
  describe(name: string, body: () => void): void;
  test(name: string, body: () => Promise<void>, timeoutMilliseconds?: number): void;
}
