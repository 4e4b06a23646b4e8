import { ok } from "node:assert/strict";
import type { TenantId } from "@loci/domain";
import { commitCases } from "./commit-cases.ts";
import { embeddingCases } from "./embedding-cases.ts";
import { idempotencyCases } from "./idempotency-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { knownAtCases } from "./known-at-cases.ts";
import {
  type LedgerCase,
  LedgerContext,
  type LedgerFixture,
  type LedgerMethod,
  type OpenLedger,
} from "./ledger-context.ts";
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
import { scanCases } from "./scan-cases.ts";
import { settingsCases } from "./settings-cases.ts";
import type { TestApi } from "./test-api.ts";
import { valueCases } from "./value-cases.ts";

export interface LedgerConformanceOptions {
  /** Of the ledger, for the test report. */
  readonly name: string;
  /** Opens an empty ledger that goes by this clock. Called once for most cases, and once more for those that close it. */
  readonly open: OpenLedger;
}

/** Every method of the contract; the type makes sure that none is left out. */
const methods: Readonly<Record<LedgerMethod, true>> = {
  commit: true,
  changes: true,
  head: true,
  onCommitted: true,
  lease: true,
  "lease.acknowledge": true,
  "lease.release": true,
  pending: true,
  resetProjection: true,
  memories: true,
  versions: true,
  list: true,
  byTags: true,
  tags: true,
  asKnownAt: true,
  atPositions: true,
  bySlots: true,
  byTexts: true,
  lastPosition: true,
  embeddings: true,
  embedded: true,
  withoutEmbedding: true,
  tenantsWithoutEmbeddings: true,
  recordUsage: true,
  recordShown: true,
  shownCounts: true,
  "embeddingCache.get": true,
  "embeddingCache.set": true,
  "modelUsage.add": true,
  "modelUsage.read": true,
  "recallMarks.record": true,
  "recallMarks.lastShown": true,
  tenants: true,
  count: true,
  scan: true,
  purge: true,
  purged: true,
  maintain: true,
  "settings.get": true,
  "settings.set": true,
  "settings.compareAndSet": true,
  "settings.list": true,
  close: true,
};

const cases: readonly LedgerCase[] = [
  ...commitCases,
  ...idempotencyCases,
  ...logCases,
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
  ...settingsCases,
  ...lifecycleCases,
  ...modelCases,
];

const caseTimeoutMilliseconds = 60_000;

/**
 * Registers every test that a `Ledger` must pass, and one of the suite itself: that each method of the contract has a
 * case. A case fails when it never calls the method it is about.
 */
export function ledgerConformance(testApi: TestApi, options: LedgerConformanceOptions): void {
  testApi.describe(`ledger ${options.name}`, () => {
    const clock = { now: beginning };
    let shared: Promise<LedgerFixture> | undefined;

    for (const [index, { method, name, run }] of cases.entries())
      testApi.test(
        `${method}: ${name}`,
        async () => {
          shared ??= options.open(() => clock.now);
          const called = new Set<string>();
          const tenant = `case ${index}` as TenantId;
          await run(new LedgerContext((await shared).ledger, options.open, clock, tenant, called));
          ok(called.has(method), `The case is about ${method}, but never calls it.`);
        },
        caseTimeoutMilliseconds,
      );

    testApi.test("the suite is complete", async () => {
      const covered = new Set<string>(cases.map(({ method }) => method));
      const missing = Object.keys(methods).filter((method) => !covered.has(method));
      ok(missing.length === 0, `methods without a case: ${missing.join(", ")}`);
    });

    testApi.afterAll(async () => {
      await (await shared)?.destroy();
    });
  });
}
