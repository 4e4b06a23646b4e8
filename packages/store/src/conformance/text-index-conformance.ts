import { type CaseFile, type KnownFailures, registerSuite, type TestApi } from "@loci/conformance";
import { callCases } from "./call-cases.ts";
import { filterCases } from "./filter-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { logOrderCases } from "./log-order-cases.ts";
import { randomIsolationCases } from "./random-isolation-cases.ts";
import { caseTimeoutMilliseconds } from "./case-timeout.ts";
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

const files: readonly CaseFile<TextMethod, TextContext>[] = [
  filterCases,
  isolationCases,
  randomIsolationCases,
  logOrderCases,
  callCases,
  upkeepCases,
  textCases,
];

/** Registers every test that a `TextIndex` must pass. */
export function textIndexConformance(testApi: TestApi, options: TextIndexConformanceOptions): void {
  registerSuite(testApi, {
    name: `text index ${options.name}`,
    methods,
    files,
    knownFailures: options.knownFailures,
    timeoutMilliseconds: caseTimeoutMilliseconds,
    runCase: textCaseRunner(options.open, options.visibility ?? "immediate"),
  });
}
