import { callCases } from "./call-cases.ts";
import { filterCases } from "./filter-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { logOrderCases } from "./log-order-cases.ts";
import { randomIsolationCases } from "./random-isolation-cases.ts";
import { type ConformanceCase, type KnownFailures, registerCases, type TestApi } from "./test-api.ts";
import { upkeepCases } from "./upkeep-cases.ts";
import { textCases } from "./text-cases.ts";
import { textCaseRunner, type TextContext, type TextIndexFixture, type TextMethod } from "./text-context.ts";

export interface TextIndexConformanceOptions {
  /** Of the index, for the test report. */
  readonly name: string;
  /** Makes an empty index. Called for every case. */
  readonly open: () => Promise<TextIndexFixture>;
  /** `eventual`: what was applied may take until `checkpoint` has come that far. Default `immediate`. */
  readonly visibility?: "immediate" | "eventual" | undefined;
  readonly knownFailures?: KnownFailures | undefined;
}

const methods: Readonly<Record<TextMethod, true>> = {
  apply: true,
  checkpoint: true,
  refs: true,
  maintain: true,
  search: true,
  frequencies: true,
  statistics: true,
  close: true,
};

const cases: readonly ConformanceCase<TextMethod, TextContext>[] = [
  ...filterCases,
  ...isolationCases,
  ...randomIsolationCases,
  ...logOrderCases,
  ...callCases,
  ...upkeepCases,
  ...textCases,
];

/** Registers every test that a `TextIndex` must pass. */
export function textIndexConformance(testApi: TestApi, options: TextIndexConformanceOptions): void {
  registerCases(testApi, {
    name: `text index ${options.name}`,
    methods,
    cases,
    knownFailures: options.knownFailures ?? {},
    runCase: textCaseRunner(options.open, options.visibility ?? "immediate"),
  });
}
