import { memoryId, parseScope } from "@loci/domain";
import type { IndexUpsert } from "@loci/store";
import { expect, test } from "vitest";
import { planWrites } from "../src/planned-writes.ts";
import { recordId } from "../src/records.ts";
import { TenantLog } from "../src/tenant-log.ts";

const ref = memoryId("00000000-0000-7000-8000-000000000001");
const vector = Float32Array.of(1, 0, 0);

function row(version: number, vectors: number): IndexUpsert {
  return {
    type: "upsert",
    ref,
    version,
    scope: parseScope("user:alice"),
    fields: { category: "fact" },
    vectors: Array.from({ length: vectors }, () => vector),
    terms: new Map(),
  };
}

test("nothing stays of what a batch wrote that failed then, also where reads do not show it yet", () => {
  const log = new TenantLog();
  const plan = (change: Parameters<typeof planWrites>[0][number]): ReturnType<typeof planWrites> => {
    const head = log.head(ref);
    return planWrites([change], new Map(head === undefined ? [] : [[ref, head]]), 3, (one) => log.attempted(one));
  };
  log.wrote(1, 1, plan(row(1, 1)).heads);
  // Its three records are written, and then its checkpoint is not.
  log.attempts(plan(row(2, 3)).heads);
  const removal = plan({ type: "delete", ref, version: 3 });
  expect(removal.deletes).toEqual([recordId(ref, 1), recordId(ref, 2)]);
  log.attempts(removal.heads);
  expect(plan(row(4, 2)).deletes).toEqual([recordId(ref, 2)]);
  // Once a batch is through, what stands there is known again.
  log.wrote(3, 3, removal.heads);
  expect(plan(row(4, 1)).deletes).toEqual([]);
});
