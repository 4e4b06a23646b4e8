import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LociError, tenantId } from "@loci/domain";
import { expect, onTestFinished, test, vi } from "vitest";
import { OpenIndexes } from "../src/worker/open-indexes.ts";

test("an index that cannot be closed to make room is reported, and takes nothing else along", async () => {
  const directory = mkdtempSync(join(tmpdir(), "loci-open-indexes-"));
  const problems: LociError[] = [];
  const settings = { directory, maxOpenIndexes: 1, maxHeadRows: 10, maxUnfiledChanges: 0 };
  const indexes = new OpenIndexes(settings, (problem) => problems.push(problem));
  onTestFinished(async () => {
    await indexes.close();
    rmSync(directory, { recursive: true });
  });
  const first = indexes.texts({ tenant: tenantId("acme"), name: "text" });
  const failing = Object.assign(new Error("EIO: i/o error, close"), { code: "EIO" });
  vi.spyOn(first, "close").mockRejectedValue(failing);
  const second = indexes.texts({ tenant: tenantId("globex"), name: "text" });
  await vi.waitFor(() => expect(problems).toMatchObject([{ reason: "STORE_UNAVAILABLE", cause: failing }]));
  expect(indexes.texts({ tenant: tenantId("globex"), name: "text" })).toBe(second);
});
