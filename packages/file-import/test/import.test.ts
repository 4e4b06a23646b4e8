import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, openLoci } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findMarkdownFiles, importConversations, importMarkdown, otherFiles } from "../src/index.ts";

let folder: string;
let loci: Loci;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-import-"));
  loci = await openLoci({ tenant: "t", dataDirectory: join(folder, "data") });
});
afterEach(async () => {
  await loci.close();
  rmSync(folder, { recursive: true });
});

const scope = "project:p" as const;
const texts = async (): Promise<string[]> => {
  const { memories } = await loci.memories.list({ scopes: [scope] });
  return memories.map(({ text }) => text).toSorted();
};

test("a folder is searched; decision records are decisions, other files notes", async () => {
  mkdirSync(join(folder, "docs/node_modules"), { recursive: true });
  mkdirSync(join(folder, "docs/.hidden"));
  writeFileSync(join(folder, "docs/0002-log.md"), "# Log\n\nOne log.");
  writeFileSync(join(folder, "docs/guide.md"), "# Guide\n\nRead it.");
  writeFileSync(join(folder, "docs/node_modules/a.md"), "no");
  writeFileSync(join(folder, "docs/.hidden/a.md"), "no");
  writeFileSync(join(folder, "docs/notes.txt"), "no");
  const report = await importMarkdown(loci, { paths: [join(folder, "docs")], scope, root: folder });
  expect(report).toMatchObject({ files: 2, added: 2 });
  const { memories } = await loci.memories.list({ scopes: [scope] });
  expect(new Map(memories.map(({ category, provenance }) => [provenance?.sourceId, category]))).toEqual(
    new Map([
      ["docs/0002-log.md", "decision"],
      ["docs/guide.md", "note"],
    ]),
  );
});

test("a bad line stores nothing and is named", async () => {
  const file = join(folder, "talk.jsonl");
  const good = JSON.stringify({ session: "s", id: "1", speaker: "A", content: "hi", at: 0 });
  for (const bad of [
    "{",
    "[]",
    "null",
    '{"session":"s"}',
    JSON.stringify({ session: "s", id: "2", speaker: "A", content: "hi", at: "soon" }),
  ]) {
    writeFileSync(file, `${good}\n\n${bad}\n`);
    await expect(importConversations(loci, { file, scope })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
      resource: `${file}:3`,
    });
  }
  expect(await texts()).toEqual([]);
});

test("a conversation that has grown adds only its new turns", async () => {
  const file = join(folder, "talk.jsonl");
  const line = (id: number): string =>
    `${JSON.stringify({ session: "s", id: String(id), speaker: "A", content: `turn ${id}`, at: id * 1000 })}\n`;
  writeFileSync(file, line(1) + line(2));
  expect(await importConversations(loci, { file, scope })).toMatchObject({ added: 2, unchanged: 0 });
  writeFileSync(file, line(1) + line(2) + line(3));
  expect(await importConversations(loci, { file, scope })).toMatchObject({ added: 1, unchanged: 2 });
  expect(await texts()).toEqual(["A: turn 1", "A: turn 2", "A: turn 3"]);
});

test.each([
  ["is not UTF-8", Buffer.from([0x63, 0x61, 0x66, 0xe9]), "is not valid UTF-8. Convert it"],
  ["holds NUL characters", "a\0b", "holds NUL characters"],
  ["is too large", "x".repeat(16 * 1024 * 1024 + 1), "that are read. Split the file."],
])("a file that %s is refused by its name, and left out of its folder until it is mended", async (_, text, problem) => {
  const notes = join(folder, "notes");
  const file = join(notes, "b.md");
  mkdirSync(notes);
  for (const name of ["a", "b", "c"]) writeFileSync(join(notes, `${name}.md`), `Text ${name}.\n`);
  await importMarkdown(loci, { paths: [notes], scope });
  writeFileSync(file, text);
  writeFileSync(join(notes, "c.md"), "New text c.\n");
  await expect(importMarkdown(loci, { paths: [file], scope })).rejects.toMatchObject({ reason: "INVALID_TEXT" });
  const leftOut = [{ path: file, problem: expect.stringContaining(problem) as string }];
  for (const [dryRun, changed] of [
    [true, 1],
    [false, 1],
    [false, 0],
  ] as const)
    expect(await importMarkdown(loci, { paths: [notes], scope, dryRun })).toMatchObject({ files: 2, changed, leftOut });
  expect(await texts()).toEqual(["New text c.", "Text a.", "Text b."]);
  writeFileSync(file, "New text b.\n");
  expect(await importMarkdown(loci, { paths: [notes], scope })).toMatchObject({ files: 3, changed: 1, leftOut: [] });
});

test("other words hold from the time of the file, and a file of the future from now on", async () => {
  const file = join(folder, "a.md");
  const importAt = async (text: string, time: number): Promise<number | undefined> => {
    writeFileSync(file, text);
    utimesSync(file, time / 1_000, time / 1_000);
    await importMarkdown(loci, { paths: [file], scope });
    return (await loci.memories.list({ scopes: [scope] })).memories[0]?.validFrom;
  };
  const now = Date.now();
  const [first, second] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1)];
  expect(await importAt("Lunch is at noon.", first)).toBeUndefined();
  expect(await importAt("Lunch is at one.", second)).toBe(second);
  const future = (await importAt("Lunch is at two.", now + 86_400_000)) ?? 0;
  expect(future).toBeGreaterThanOrEqual(now);
  expect(future).toBeLessThanOrEqual(Date.now());
});

test("files that are gone are told, and forgotten when that is asked for", async () => {
  const notes = join(folder, "notes");
  mkdirSync(join(notes, "inner"), { recursive: true });
  mkdirSync(join(folder, "notes-of-others"));
  const names = ["notes/a.md", "notes/inner/b.md", "notes/left.md", "notes-of-others/c.md"];
  for (const name of names) writeFileSync(join(folder, name), `Text of ${name}.\n`);
  const whole = { paths: [folder], scope, root: folder };
  expect(await importMarkdown(loci, whole)).toMatchObject({ added: 4, missing: [] });
  await loci.memories.remember({ text: "By hand.", scope, provenance: { sourceId: "notes/x.md", kind: "document" } });
  for (const name of ["notes/inner", "notes-of-others/c.md"]) rmSync(join(folder, name), { recursive: true });
  // There, and no text any more: what was remembered of it before stays.
  writeFileSync(join(notes, "left.md"), Buffer.from([0xff, 0xfe]));
  writeFileSync(join(notes, "d.md"), "Text of notes/inner/b.md.\n");

  const below = { paths: [notes, join(notes, "d.md")], scope, root: folder };
  const missing = [{ source: "notes/inner/b.md", memories: 1 }];
  expect(await importMarkdown(loci, below)).toMatchObject({ added: 1, removed: 0, missing });
  const asked = { ...below, forgetMissing: true };
  expect(await importMarkdown(loci, { ...asked, dryRun: true })).toMatchObject({ removed: 1, missing: [] });
  expect(await importMarkdown(loci, below)).toMatchObject({ missing });
  expect(await importMarkdown(loci, asked)).toMatchObject({ removed: 1, missing: [] });
  expect(await texts()).toEqual([
    "By hand.",
    "Text of notes-of-others/c.md.",
    "Text of notes/a.md.",
    "Text of notes/inner/b.md.",
    "Text of notes/left.md.",
  ]);
  const others = [{ source: "notes-of-others/c.md", memories: 1 }];
  expect(await importMarkdown(loci, whole)).toMatchObject({ missing: others });
});

test.each([
  ["what cannot be seen", "b\u202e.md", "its path holds U+202E at 7, which cannot be seen"],
  ["an accent of its own", "cafe\u0301.md", "its path is not in Unicode normalisation form C"],
  ["no end", `${"b".repeat(220)}.md`, "its path is 229 bytes long"],
])("a file whose name has %s is refused by its name, and left out of its folder", async (_, name, problem) => {
  const notes = join(folder, "notes");
  mkdirSync(notes);
  for (const each of ["a.md", name]) writeFileSync(join(notes, each), `Text of ${each}.\n`);
  const file = join(notes, name);
  await expect(importMarkdown(loci, { paths: [file], scope })).rejects.toMatchObject({ reason: "INVALID_IDENTIFIER" });
  const leftOut = [{ path: file, problem: expect.stringContaining(problem) as string }];
  expect(await importMarkdown(loci, { paths: [notes], scope })).toMatchObject({ files: 1, added: 1, leftOut });
  expect(await texts()).toEqual(["Text of a.md."]);
});

test("pieces with secrets are left out and counted, and the others are kept", async () => {
  const file = join(folder, "notes.md");
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const [tuesdays, tea] = ["On Tuesdays. ".repeat(80), "Tea. ".repeat(200)];
  writeFileSync(file, `# Deploy\n\n${tuesdays}\n\n# Access\n\nAsk Kim.\n`);
  expect(await importMarkdown(loci, { paths: [file], scope, root: folder })).toMatchObject({ added: 2, refused: 0 });
  writeFileSync(file, `# Deploy\n\n${tuesdays}\n\n# Access\n\nThe token is ${token}.\n\n# More\n\n${tea}\n`);
  const refusedIn = [{ path: file, sections: 1 }];
  const changed = { added: 1, changed: 0, removed: 1, unchanged: 1, refused: 1, refusedIn };
  expect(await importMarkdown(loci, { paths: [file], scope, root: folder })).toMatchObject(changed);
  const again = { added: 0, changed: 0, removed: 0, unchanged: 2, refused: 1 };
  expect(await importMarkdown(loci, { paths: [file], scope, root: folder })).toMatchObject(again);
  expect((await texts()).join("\n")).not.toContain(token);
  expect(await texts()).toHaveLength(2);
});

test("a file that links lead to is one document, and is named by its own path", async () => {
  const notes = join(folder, "notes");
  mkdirSync(join(notes, "inner/.attic"), { recursive: true });
  writeFileSync(join(notes, "own.md"), "Own.");
  writeFileSync(join(notes, "inner/list.txt"), "a");
  writeFileSync(join(notes, "inner/.attic/old.md"), "Old.");
  symlinkSync(join(notes, "own.md"), join(notes, "a-link.md"));
  symlinkSync(join(notes, "inner/.attic/old.md"), join(notes, "b-old.md"));
  symlinkSync(join(notes, "inner/.attic/old.md"), join(notes, "c-old.md"));
  symlinkSync(notes, join(notes, "inner/above"));
  symlinkSync(folder, join(notes, "inner/outside"));
  writeFileSync(join(folder, "other.csv"), "a");
  expect(await findMarkdownFiles(notes)).toEqual([join(notes, "b-old.md"), join(notes, "own.md")]);
  expect(await otherFiles(notes)).toEqual([[".txt", 1]]);
});

test("of a folder neither pipes nor links that lead out of it are read", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "loci-elsewhere-"));
  writeFileSync(join(elsewhere, "secret.md"), "# Secret\n\nOf somebody else.\n");
  writeFileSync(join(folder, "own.md"), "# Own\n\nOurs.\n");
  symlinkSync(join(elsewhere, "secret.md"), join(folder, "link.md"));
  symlinkSync(elsewhere, join(folder, "folder"));
  symlinkSync(join(folder, "own.md"), join(folder, "same.md"));
  symlinkSync(join(folder, "nowhere"), join(folder, "broken.md"));
  mkdirSync(join(folder, "directory.md"));
  if (process.platform !== "win32") execFileSync("mkfifo", [join(folder, "pipe.md")]);
  const { files } = await importMarkdown(loci, { paths: [folder], scope, root: folder });
  expect(files).toBe(1);
  expect((await texts()).join("\n")).not.toContain("somebody else");
  rmSync(elsewhere, { recursive: true });
});
