import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LociError, memoryId, tenantId } from "@loci/domain";
import { expect, onTestFinished, test, vi } from "vitest";
import { isCompact } from "../src/storage/is-compact.ts";
import { tenantDirectory } from "../src/storage/tenant-directories.ts";
import { OpenIndexes } from "../src/worker/open-indexes.ts";

function openIndexes(maxOpenIndexes: number, reportProblem: (problem: LociError) => void): [OpenIndexes, string] {
  const directory = mkdtempSync(join(tmpdir(), "loci-open-indexes-"));
  const indexes = new OpenIndexes({ directory, maxOpenIndexes, maxHeadRows: 10, maxUnfiledChanges: 0 }, reportProblem);
  onTestFinished(async () => {
    await indexes.close();
    rmSync(directory, { recursive: true });
  });
  return [indexes, directory];
}

test("an index that cannot be closed to make room is reported, and takes nothing else along", async () => {
  const problems: LociError[] = [];
  const [indexes] = openIndexes(1, (problem) => problems.push(problem));
  const first = indexes.texts({ tenant: tenantId("acme"), name: "text" });
  const failing = Object.assign(new Error("EIO: i/o error, close"), { code: "EIO" });
  vi.spyOn(first, "close").mockRejectedValue(failing);
  const second = indexes.texts({ tenant: tenantId("globex"), name: "text" });
  await vi.waitFor(() => expect(problems).toMatchObject([{ reason: "STORE_UNAVAILABLE", cause: failing }]));
  expect(indexes.texts({ tenant: tenantId("globex"), name: "text" })).toBe(second);
});

test.each([
  { everyTenant: false, compact: [false, true] },
  { everyTenant: true, compact: [true, true] },
])("one that was closed meanwhile is compacted with those of every tenant only: $everyTenant", async (upkeep) => {
  const [indexes, directory] = openIndexes(2, (problem) => {
    throw problem;
  });
  const tenants = ["acme", "globex"].map(tenantId);
  for (const tenant of tenants)
    await indexes.texts({ tenant, name: "text" }).apply(
      [
        {
          ref: memoryId("00000000-0000-7000-8001-000000000000"),
          version: 1,
          scope: "global" as const,
          fields: {},
          content: { terms: new Map([["word", 1]]), length: 1 },
        },
      ],
      1,
    );
  const makeRoom = vi.fn<() => void>().mockImplementationOnce(() => {
    indexes.texts({ tenant: tenantId("initech"), name: "text" });
  });
  await indexes.compact({ name: "text" }, upkeep.everyTenant, makeRoom);
  expect(makeRoom.mock.calls.length).toBeGreaterThan(1);
  expect(tenants.map((tenant) => isCompact(join(directory, tenantDirectory(tenant), "text")))).toEqual(upkeep.compact);
});
