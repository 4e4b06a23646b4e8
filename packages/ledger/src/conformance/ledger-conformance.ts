import { registerSuite, type TestApi } from "@loci/conformance";
import type { TenantId } from "@loci/domain";
import { authorCases } from "./author-cases.ts";
import { caseTimeoutMilliseconds } from "./case-timeout.ts";
import { checkpointCases } from "./checkpoint-cases.ts";
import { commitCases } from "./commit-cases.ts";
import { decisionCases } from "./decision-cases.ts";
import { embeddingCases } from "./embedding-cases.ts";
import { familyCases } from "./family-cases.ts";
import { ledgerMethods } from "./family-methods.ts";
import { idempotencyCases } from "./idempotency-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { jobCases } from "./job-cases.ts";
import { knownAtCases } from "./known-at-cases.ts";
import { type LedgerCaseFile, LedgerContext, type LedgerFixture, type OpenLedger } from "./ledger-context.ts";
import { keyCases } from "./key-cases.ts";
import { leaseRequestCases } from "./lease-request-cases.ts";
import { lifecycleCases } from "./lifecycle-cases.ts";
import { logCases } from "./log-cases.ts";
import { modelCases } from "./model-cases.ts";
import { modelUsageCases } from "./model-usage-cases.ts";
import { neighbourCases } from "./neighbour-cases.ts";
import { orderedRefsCases } from "./ordered-refs-cases.ts";
import { positionCases } from "./position-cases.ts";
import { projectionCases } from "./projection-cases.ts";
import { purgeCases } from "./purge-cases.ts";
import { receiptCases } from "./receipt-cases.ts";
import { recallMarkCases } from "./recall-mark-cases.ts";
import { randomIsolationCases } from "./random-isolation-cases.ts";
import { readCases } from "./read-cases.ts";
import { beginning } from "./samples.ts";
import { resourceCases } from "./resource-cases.ts";
import { resourceModelCases } from "./resource-model-cases.ts";
import { scanCases } from "./scan-cases.ts";
import { scopesCases } from "./scopes-cases.ts";
import { settingsCases } from "./settings-cases.ts";
import { standingCases } from "./standing-cases.ts";
import { valueCases } from "./value-cases.ts";

export interface LedgerConformanceOptions {
  /** Of the ledger, for the test report. */
  readonly name: string;
  /** Opens an empty ledger that goes by this clock. Called once for most cases, and once more for those that close it. */
  readonly open: OpenLedger;
  /** Whether several servers share it: then it has what only such ledgers have. Default false. */
  readonly isShared?: boolean | undefined;
}

/** A suite opens few ledgers, and closes them in the end. vitest has it, `node:test` as `after`, and jest. */
export interface LedgerTestApi extends TestApi {
  afterAll(body: () => Promise<void>): void;
}

const files: readonly LedgerCaseFile[] = [
  commitCases,
  idempotencyCases,
  logCases,
  familyCases,
  authorCases,
  decisionCases,
  standingCases,
  readCases,
  positionCases,
  valueCases,
  keyCases,
  embeddingCases,
  projectionCases,
  isolationCases,
  randomIsolationCases,
  modelUsageCases,
  knownAtCases,
  recallMarkCases,
  receiptCases,
  scanCases,
  scopesCases,
  orderedRefsCases,
  purgeCases,
  resourceCases,
  resourceModelCases,
  checkpointCases,
  settingsCases,
  jobCases,
  lifecycleCases,
  modelCases,
];

/** Registers every test that a `Ledger` must pass. */
export function ledgerConformance(
  testApi: LedgerTestApi,
  { name, open, isShared = false }: LedgerConformanceOptions,
): void {
  const { withNeighbours: _, askForLease: __, onLeaseAskedFor: ___, ...required } = ledgerMethods;
  const clock = { now: beginning };
  let shared: Promise<LedgerFixture> | undefined;
  registerSuite(testApi, {
    name: `ledger ${name}`,
    methods: isShared ? ledgerMethods : required,
    files: isShared ? [...files, neighbourCases, leaseRequestCases] : files,
    timeoutMilliseconds: caseTimeoutMilliseconds,
    runCase: async (run, index) => {
      shared ??= open(() => clock.now);
      const called = new Set<string>();
      await run(new LedgerContext(await shared, open, clock, `case ${index}` as TenantId, called));
      return called;
    },
  });
  testApi.afterAll(async () => {
    await (await shared)?.destroy();
  });
}
