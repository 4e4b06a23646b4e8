// A file that this process may not use, or has no room to open: told for people, and used as soon as that is possible.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type * as fileSystem from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalLoci, openLoci as open } from "@loci/loci";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

/** What the system says of the file of the test instead of opening or writing it. */
const refusing = vi.hoisted(() => ({ open: "", write: "" }));
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof fileSystem>();
  const refuse = (code: string, path: unknown): void => {
    if (code !== "" && String(path).includes("CORE_MEMORY.md"))
      throw Object.assign(new Error(`${code}: refused`), { code });
  };
  return {
    ...real,
    open: async (...given: Parameters<typeof real.open>) => {
      refuse(refusing.open, given[0]);
      return real.open(...given);
    },
    writeFile: async (...given: Parameters<typeof real.writeFile>) => {
      refuse(refusing.write, given[0]);
      return real.writeFile(...given);
    },
  };
});

const owner = "agent:coach" as const;
const label = "core_memory";
const first = "<!-- BUDGET: 5 lines -->\n# About me\n- I coach swimmers.\n";
let directory: string;
let file: string;
let loci: LocalLoci;
let openLoci: typeof open;

// Files of tests share what they import: what opens files is loaded anew, with the system that refuses.
beforeAll(async () => {
  vi.resetModules();
  ({ openLoci } = await import("@loci/loci"));
});
afterAll(() => {
  vi.resetModules();
});
beforeEach(async () => {
  Object.assign(refusing, { open: "", write: "" });
  directory = mkdtempSync(join(tmpdir(), "loci-bound-access-"));
  file = join(directory, "CORE_MEMORY.md");
  writeFileSync(file, first);
  loci = await openLoci({ tenant: "local", dataDirectory: join(directory, "data"), index: "memory" });
});
afterEach(async () => {
  await loci.close();
  rmSync(directory, { recursive: true });
});

async function warnings(): Promise<readonly string[]> {
  const context = await loci.assemble({ layout: "threeTier", blockOwners: [owner], query: "What now?" });
  return context.warnings.filter(({ reason }) => reason === "CORE_MEMORY_INVALID").map(({ message }) => message);
}

test("a file that may not be read is told, and taken once it may, though nothing in it changed", async () => {
  refusing.open = "EACCES";
  expect((await loci.bindFile({ owner, file })).problem).toMatchObject({
    reason: "INVALID_CONFIGURATION",
    message: `${file} cannot be used: EACCES.`,
    resource: file,
  });
  expect(await warnings()).toEqual([`The last version of ${label} stands: ${file} cannot be used: EACCES.`]);
  refusing.open = "";
  expect(await warnings()).toEqual([]);
  expect((await loci.blocks.get({ owner, label })).version).toBe(1);
});

test("a file that may not be written is told, and written once it may", async () => {
  await loci.bindFile({ owner, file });
  const { etag } = await loci.blocks.get({ owner, label });
  const text = first.replace("swimmers", "rowers");
  await loci.blocks.update({ owner, label }, { values: { text } }, { etag });
  refusing.write = "EROFS";
  expect(await warnings()).toEqual([`The last version of ${label} stands: ${file} cannot be used: EROFS.`]);
  refusing.write = "";
  // What a process that was killed has left.
  writeFileSync(join(directory, `.CORE_MEMORY.md.${process.pid}.draft`), "half");
  expect(await warnings()).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(existsSync(join(directory, `.CORE_MEMORY.md.${process.pid}.draft`))).toBe(false);
});

test.each([
  ["EMFILE", "STORE_UNAVAILABLE", "ulimit -n"],
  ["ENOSPC", "DISK_FULL", "Free some space"],
])("where the system says %s a context is refused with %s, and what to do", async (code, reason, advice) => {
  await loci.bindFile({ owner, file });
  const { etag } = await loci.blocks.get({ owner, label });
  const text = first.replace("swimmers", "rowers");
  await loci.blocks.update({ owner, label }, { values: { text } }, { etag });
  Object.assign(refusing, { [code === "EMFILE" ? "open" : "write"]: code });
  await expect(warnings()).rejects.toMatchObject({
    reason,
    resource: file,
    advice: expect.stringContaining(advice) as string,
  });
  Object.assign(refusing, { open: "", write: "" });
  expect(await warnings()).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe(text);
});
