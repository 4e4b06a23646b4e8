import { expect, test } from "vitest";
import { type ConformanceCase, recordCalls, registerCases, type TestApi } from "../src/conformance/test-api.ts";

interface Contract {
  read(): void;
  write(): void;
}

const reads: ConformanceCase<keyof Contract, Contract> = {
  method: "read",
  name: "reads",
  run: async (contract) => contract.read(),
};
const writes: typeof reads = { method: "write", name: "writes", run: async (contract) => contract.write() };

/** Registers a suite and answers what each of its tests came to. */
async function outcomes(cases: readonly (typeof reads)[], knownFailures = {}): Promise<Record<string, string>> {
  const tests: [string, () => Promise<void>][] = [];
  const testApi: TestApi = { describe: (_, body) => body(), test: (name, body) => void tests.push([name, body]) };
  registerCases(testApi, {
    name: "suite",
    methods: { read: true, write: true },
    cases,
    knownFailures,
    runCase: async (run) => {
      const called = new Set<string>();
      await run(recordCalls({ read: () => {}, write: () => expect.fail("broken") }, called));
      return called as Set<keyof Contract>;
    },
  });
  const results = tests.map(async ([name, body]) => [name, await body().then(() => "passes", String)] as const);
  return Object.fromEntries(await Promise.all(results));
}

test("runs every case", async () => {
  expect(await outcomes([reads, writes])).toEqual({
    "read: reads": "passes",
    "write: writes": "AssertionError: broken",
    "the suite is complete": "passes",
  });
});

test("notices a method without a case, and a case that does not call its method", async () => {
  const idle = { ...reads, run: async () => {} };
  expect(await outcomes([idle])).toEqual({
    "read: reads": "Error: The case is about read, but never calls it.",
    "the suite is complete": "Error: methods without a case: write",
  });
});

test("notices a name used twice", async () => {
  expect(await outcomes([reads, writes, reads])).toMatchObject({
    "the suite is complete": "Error: names used twice: read: reads",
  });
});

test("runs known failures, which must fail and exist", async () => {
  const knownFailures = { "read: reads": "no eyes", "write: writes": "no hands", "read: gone": "old" };
  expect(await outcomes([reads, writes], knownFailures)).toEqual({
    "read: reads (known to fail: no eyes)": 'Error: "read: reads" passes: take it off the list of known failures.',
    "write: writes (known to fail: no hands)": "passes",
    "the suite is complete": "Error: known failures that are no case: read: gone",
  });
});
