// What `docs/guides/where-loci-runs.md` shows, run; tools/packaging runs what it says of other runtimes.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { expect, test, vi } from "vitest";
import type * as example from "../../../docs/examples/open-once.ts";

const root = join(import.meta.dirname, "../../..");

test("modules that are loaded again find the Loci of their process, and try again what failed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "loci-open-once-"));
  vi.stubEnv("LOCI_DATA_DIR", directory);
  const load = (): Promise<typeof example> => {
    vi.resetModules();
    return import("../../../docs/examples/open-once.ts");
  };
  const other = await openLoci({ tenant: "acme", dataDirectory: directory });
  const before = await load();
  await expect(before.openOnce()).rejects.toMatchObject({ reason: "DATA_DIRECTORY_LOCKED" });
  await other.close();

  const loci = await before.openOnce();
  try {
    const after = await load();
    expect(after.openOnce).not.toBe(before.openOnce);
    expect(await after.openOnce()).toBe(loci);
  } finally {
    await loci.close();
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  }
});

test("the guide shows what is run", () => {
  const guide = readFileSync(join(root, "docs/guides/where-loci-runs.md"), "utf8");
  const printed = [...guide.matchAll(/^<!-- (\S+) -->\n\n```\w+\n(.*?)^```$/gms)];
  expect(printed).toHaveLength(2);
  for (const [, file = "", code] of printed) expect(code).toBe(readFileSync(join(root, file), "utf8"));
});
