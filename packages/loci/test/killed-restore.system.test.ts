import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Erasure, openLoci, restoreBackup, tenantId } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";

const scope = "user:alice";
let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "loci-killed-restore-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

test("a restore that is killed before it has erased again gives nothing back, and can be done anew", async () => {
  const loci = await openLoci({ tenant: "local", dataDirectory: join(parent, "data"), index: "memory" });
  const { id } = await loci.memories.remember({ text: "The canary is yellow.", scope });
  await loci.memories.remember({ text: "The parrot is green.", scope });
  const backup = join(parent, "backup");
  await loci.maintenance.backup({ directory: backup });
  await loci.close();

  const dataDirectory = join(parent, "restored");
  const program = join(import.meta.dirname, "programs", "restore-then-die.ts");
  const options = ["--no-warnings", "--conditions=@loci/source", program, backup, dataDirectory];
  expect(spawnSync(process.execPath, options, { stdio: ["ignore", "inherit", "inherit"] }).signal).toBe("SIGKILL");
  const open = () => openLoci({ tenant: "local", dataDirectory, index: "memory" });
  await expect(open()).rejects.toMatchObject({
    reason: "DATA_DIRECTORY_CORRUPT",
    advice: expect.stringContaining("Restore it again") as string,
  });

  const erasures: readonly Erasure[] = [{ tenant: tenantId("local"), ref: id, kind: "erased" }];
  expect((await restoreBackup({ from: backup, dataDirectory, erasures })).erased).toBe(1);
  expect(readdirSync(dataDirectory)).not.toContain("restoring");
  await using restored = await open();
  const { memories } = await restored.memories.list({ scopes: [scope] });
  expect(memories.map(({ text }) => text)).toEqual(["The parrot is green."]);
});

test("a restore that fails leaves an empty directory", async () => {
  const loci = await openLoci({ tenant: "local", dataDirectory: join(parent, "data"), index: "memory" });
  const backup = join(parent, "backup");
  await loci.maintenance.backup({ directory: backup });
  await loci.close();
  const dataDirectory = join(parent, "restored");
  // oxlint-disable-next-line require-yield -- it ends before it could yield, which is what is tried
  function* fails(): Generator<never> {
    throw new Error("no erasures today");
  }
  await expect(restoreBackup({ from: backup, dataDirectory, erasures: fails() })).rejects.toThrow("no erasures today");
  expect(readdirSync(dataDirectory)).toEqual([]);
});
