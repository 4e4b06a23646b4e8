/** The part of a test runner that the suite needs. vitest, `node:test` (as `afterAll: after`) and jest have it. */
export interface TestApi {
  describe(name: string, body: () => void): void;
  test(name: string, body: () => Promise<void>, timeoutMilliseconds?: number): void;
  afterAll(body: () => Promise<void>): void;
}
