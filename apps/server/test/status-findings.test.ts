import type { LociStatus } from "@loci/loci";
import { expect, test } from "vitest";
import { statusFindings } from "../src/doctor/status-findings.ts";

const ledger = { sequence: 9, memories: 1, kept: 1, scopes: 1 };
const upToDate = { name: "text", checkpoint: 9, behind: 0, ratePerSecond: 0 };

function statesOf(status: Partial<LociStatus>): readonly (readonly [string, string])[] {
  return statusFindings({ ledger, projections: [], jobs: [], ...status }).map(({ state, message }) => [state, message]);
}

test("what keeps up is well, also when it is a little behind", () => {
  const jobs = [{ kind: "capture", queued: 3, running: 1, dead: 0 }];
  expect(statesOf({ projections: [upToDate, { ...upToDate, behind: 1_000 }], jobs })).toEqual([
    ["ok", "All that follows the ledger has kept up, and no job has failed for good."],
  ]);
});

test("what fails, is far behind or has failed for good is told", () => {
  const failure = { reason: "STORE_UNAVAILABLE", since: Date.UTC(2026, 0, 1) };
  const projections = [
    { name: "vectors", ratePerSecond: 0, failure },
    { ...upToDate, behind: 5_000, ratePerSecond: 12.34 },
  ];
  expect(statesOf({ projections, jobs: [{ kind: "capture", queued: 0, running: 0, dead: 2 }] })).toEqual([
    ["fail", "vectors cannot be brought up to date: STORE_UNAVAILABLE, since 2026-01-01T00:00:00.000Z."],
    ["warn", "text is 5000 changes behind, and takes in 12.3 a second."],
    ["warn", "2 jobs of the kind capture failed for good."],
  ]);
});
