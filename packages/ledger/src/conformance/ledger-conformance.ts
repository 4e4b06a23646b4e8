import { ok } from "node:assert/strict";
import type { TenantId } from "@loci/domain";
import { authorCases } from "./author-cases.ts";
import { checkpointCases } from "./checkpoint-cases.ts";
import { commitCases } from "./commit-cases.ts";
import { decisionCases } from "./decision-cases.ts";
import { embeddingCases } from "./embedding-cases.ts";
import { familyCases } from "./family-cases.ts";
import { methodsOfFamilies } from "./family-methods.ts";
import { idempotencyCases } from "./idempotency-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { jobCases } from "./job-cases.ts";
import { knownAtCases } from "./known-at-cases.ts";
import { type LedgerCase, LedgerContext, type LedgerFixture, type OpenLedger } from "./ledger-context.ts";
import { lifecycleCases } from "./lifecycle-cases.ts";
import { logCases } from "./log-cases.ts";
import { modelCases } from "./model-cases.ts";
import { modelUsageCases } from "./model-usage-cases.ts";
import { positionCases } from "./position-cases.ts";
import { projectionCases } from "./projection-cases.ts";
import { purgeCases } from "./purge-cases.ts";
import { recallMarkCases } from "./recall-mark-cases.ts";
import { randomIsolationCases } from "./random-isolation-cases.ts";
import { readCases } from "./read-cases.ts";
import { beginning } from "./samples.ts";
import { resourceCases } from "./resource-cases.ts";
import { resourceModelCases } from "./resource-model-cases.ts";
import { scanCases } from "./scan-cases.ts";
import { settingsCases } from "./settings-cases.ts";
import { standingCases } from "./standing-cases.ts";
import type { TestApi } from "./test-api.ts";
import { valueCases } from "./value-cases.ts";

export interface LedgerConformanceOptions {
  /** Of the ledger, for the test report. */
  readonly name: string;
  /** Opens an empty ledger that goes by this clock. Called once for most cases, and once more for those that close it. */
  readonly open: OpenLedger;
}

const cases: readonly LedgerCase[] = [
  ...commitCases,
  ...idempotencyCases,
  ...logCases,
  ...familyCases,
  ...authorCases,
  ...decisionCases,
  ...standingCases,
  ...readCases,
  ...positionCases,
  ...valueCases,
  ...embeddingCases,
  ...projectionCases,
  ...isolationCases,
  ...randomIsolationCases,
  ...modelUsageCases,
  ...knownAtCases,
  ...recallMarkCases,
  ...scanCases,
  ...purgeCases,
  ...resourceCases,
  ...resourceModelCases,
  ...checkpointCases,
  ...settingsCases,
  ...jobCases,
  ...lifecycleCases,
  ...modelCases,
];

const caseTimeoutMilliseconds = 60_000;

/**
 * Registers every test that a `Ledger` must pass, family by family, and one of the suite itself for each: that each method of
 * the family has a case. A case fails when it never calls the method it is about.
 */
export function ledgerConformance(testApi: TestApi, options: LedgerConformanceOptions): void {
  testApi.describe(`ledger ${options.name}`, () => {
    const clock = { now: beginning };
    let shared: Promise<LedgerFixture> | undefined;
    const runCase = async ({ method, run }: LedgerCase, index: number): Promise<void> => {
      shared ??= options.open(() => clock.now);
      const called = new Set<string>();
      const tenant = `case ${index}` as TenantId;
      await run(new LedgerContext(await shared, options.open, clock, tenant, called));
      ok(called.has(method), `The case is about ${method}, but never calls it.`);
    };

    for (const [family, methods] of Object.entries(methodsOfFamilies))
      testApi.describe(family, () => {
        const covered = new Set<string>();
        for (const [index, one] of cases.entries()) {
          if (!Object.hasOwn(methods, one.method)) continue;
          covered.add(one.method);
          testApi.test(`${one.method}: ${one.name}`, () => runCase(one, index), caseTimeoutMilliseconds);
        }
        testApi.test("the suite is complete", async () => {
          const missing = Object.keys(methods).filter((method) => !covered.has(method));
          ok(missing.length === 0, `methods without a case: ${missing.join(", ")}`);
        });
      });

    testApi.afterAll(async () => {
      await (await shared)?.destroy();
    });
  });
}
