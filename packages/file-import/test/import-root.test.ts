import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importRoot, otherFiles } from "../src/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-import-root-"));
  mkdirSync(join(folder, "project/docs/old"), { recursive: true });
  mkdirSync(join(folder, "project/docs/.hidden"));
  for (const file of ["one.md", "old/two.md", "talk.jsonl", "old/chat.JSONL", "plan.pdf", "Makefile", ".hidden/x.txt"])
    writeFileSync(join(folder, "project/docs", file), "# Text\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("sources are named from the top of their git work tree", () => {
  mkdirSync(join(folder, "project/.git"));
  for (const path of ["project", "project/docs", "project/docs/old/two.md"])
    expect(importRoot(join(folder, path))).toBe(join(folder, "project"));
});

test("outside of one they are named from above what is named, wherever the program runs", () => {
  expect(importRoot(join(folder, "project/docs"))).toBe(join(folder, "project"));
  expect(importRoot(join(folder, "project/docs/one.md"))).toBe(join(folder, "project"));
  const before = process.cwd();
  try {
    process.chdir(join(folder, "project/docs"));
    expect(importRoot(".")).toMatch(/project$/);
    expect(importRoot("one.md")).toMatch(/project$/);
  } finally {
    process.chdir(before);
  }
});

test("what of a folder is no Markdown is counted by ending", async () => {
  expect(await otherFiles(join(folder, "project/docs"))).toEqual([
    [".jsonl", 2],
    ["", 1],
    [".pdf", 1],
  ]);
  expect(await otherFiles(join(folder, "project/docs/one.md"))).toEqual([]);
});
