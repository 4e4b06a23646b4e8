import { type CaseFile, type KnownFailures, registerSuite, type TestApi } from "@loci/conformance";
import { callCases } from "./call-cases.ts";
import { filterCases } from "./filter-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { logOrderCases } from "./log-order-cases.ts";
import { randomIsolationCases } from "./random-isolation-cases.ts";
import { caseTimeoutMilliseconds } from "./case-timeout.ts";
import { upkeepCases } from "./upkeep-cases.ts";
import { type VectorContext, type VectorMethod, vectorCaseRunner, type VectorStoreFixture } from "./vector-context.ts";
import { vectorLifecycleCases } from "./vector-lifecycle-cases.ts";
import { vectorRankingCases } from "./vector-ranking-cases.ts";

export interface VectorStoreConformanceOptions {
  /** Of the store, for the test report. */
  readonly name: string;
  /** Makes an empty store. Called for every case. */
  readonly open: () => Promise<VectorStoreFixture>;
  readonly knownFailures?: KnownFailures | undefined;
}

const methods: Readonly<Record<VectorMethod, true>> = {
  openCollection: true,
  dropCollection: true,
  close: true,
  apply: true,
  checkpoint: true,
  refs: true,
  search: true,
  count: true,
  maintain: true,
};

const files: readonly CaseFile<VectorMethod, VectorContext>[] = [
  filterCases,
  isolationCases,
  randomIsolationCases,
  logOrderCases,
  callCases,
  upkeepCases,
  vectorRankingCases,
  vectorLifecycleCases,
];

/** Registers every test that a `VectorStore` must pass. What its capabilities leave out must be refused, and is tested. */
export function vectorStoreConformance(testApi: TestApi, options: VectorStoreConformanceOptions): void {
  registerSuite(testApi, {
    name: `vector store ${options.name}`,
    methods,
    files,
    knownFailures: options.knownFailures,
    timeoutMilliseconds: caseTimeoutMilliseconds,
    runCase: vectorCaseRunner(options.open),
  });
}
