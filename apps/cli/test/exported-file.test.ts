import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lastPlace } from "../src/files/exported-file.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "loci-exported-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a file that is not there is begun, and one that cannot be opened is no new one", async () => {
  const folder = temporaryFolder();
  expect(await lastPlace(join(folder, "new.jsonl"))).toBeUndefined();
  await expect(lastPlace(join(folder, "x".repeat(300)))).rejects.toMatchObject({ code: "ENAMETOOLONG" });
});

// Root may read everything.
test.skipIf(process.getuid?.() === 0)("a file that may only be written to is not begun once more", async () => {
  const file = join(temporaryFolder(), "export.jsonl");
  writeFileSync(file, "");
  chmodSync(file, 0o200);
  await expect(lastPlace(file)).rejects.toMatchObject({ code: "EACCES" });
});
