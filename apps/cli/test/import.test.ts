import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

let folder: string;
const home = process.cwd();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-import-"));
  mkdirSync(join(folder, "notes/empty"), { recursive: true });
  writeFileSync(join(folder, "notes/one.md"), "# One\n\nDeploys happen on Thursdays.\n");
  writeFileSync(join(folder, "notes/talk.jsonl"), "{}\n");
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
  vi.stubEnv("LOCI_INDEX_USE", "memory");
});
afterEach(() => {
  process.chdir(home);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("what is imported is the same from wherever it is imported", async () => {
  process.chdir(folder);
  expect((await runCommand(["import", "notes"])).out).toContain("1 new");
  for (const [place, path] of [
    [home, join(folder, "notes")],
    [join(folder, "notes"), "."],
    [join(folder, "notes"), "one.md"],
  ] as const) {
    process.chdir(place);
    expect((await runCommand(["import", path])).out).toContain("0 new, 0 changed, 0 gone, 1 unchanged");
  }
  expect((await runCommand(["import", ".", "--root", "."])).out).toContain("1 new");
  const { memories } = JSON.parse((await runCommand(["memories", "list", "--json"])).out) as {
    memories: { provenance: { sourceId: string } }[];
  };
  expect(memories.map(({ provenance }) => provenance.sourceId).toSorted()).toEqual(["notes/one.md", "one.md"]);
});

test("of several paths of which one is not there nothing is imported, and no directory is made", async () => {
  process.chdir(folder);
  for (const command of [
    ["import", "notes", "gone.jsonl"],
    ["import", "notes", "gone.md"],
    ["sessions", "import", "gone.json"],
  ]) {
    const { code, error } = await runCommand(command);
    expect({ code, error }).toEqual({
      code: 3,
      error: expect.stringMatching(
        /gone\.\w+ cannot be read\. Nothing was imported\. \[FILE_NOT_FOUND\]\s+Check/,
      ) as string,
    });
  }
  expect(existsSync(join(folder, "data"))).toBe(false);
});

test("a dry run says what would be done, and does nothing", async () => {
  process.chdir(folder);
  await runCommand(["import", "notes"]);
  writeFileSync(join(folder, "notes/one.md"), "# One\n\nDeploys happen on Fridays.\n");
  writeFileSync(join(folder, "notes/two.md"), "# Two\n\nTests run before.\n");
  for (let time = 0; time < 2; time++) {
    const { out } = await runCommand(["import", "notes", "--dry-run"]);
    expect(out).toMatch(
      /^Nothing was done\. It would be: 2 files into global: 1 new, 1 changed, 0 gone, 0 unchanged\./,
    );
  }
  expect((await runCommand(["recall", "deploys"])).out).toContain("Thursdays");
  const refused = await runCommand(["import", "notes/talk.jsonl", "--dry-run"]);
  expect(refused).toMatchObject({ code: 2, error: expect.stringContaining("not of notes/talk.jsonl") as string });
});

test("a dry run into a directory that is not there yet says what would be done, and makes none", async () => {
  const { code, out } = await runCommand(["import", join(folder, "notes"), "--dry-run"]);
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining("Nothing was done. It would be: 1 file into global: 1 new") as string,
  });
  expect(existsSync(join(folder, "data"))).toBe(false);
});

test("what is left out of a folder, and that there was nothing, is said", async () => {
  const { error } = await runCommand(["import", join(folder, "notes")]);
  expect(error).toContain("as they are no Markdown: 1 .jsonl; conversations are imported when their files are named");
  const empty = join(folder, "notes/empty");
  expect((await runCommand(["import", empty])).error).toContain(`there is no Markdown file in ${empty}`);
});

test("a file that is gone is told by its source, and forgotten when that is asked for", async () => {
  const notes = join(folder, "notes");
  await runCommand(["import", notes]);
  renameSync(join(notes, "one.md"), join(notes, "moved.md"));
  const moved = await runCommand(["import", notes]);
  expect(moved.error).toContain("notes/one.md is not there any more; still remembered of it: 1 memory");
  expect(moved.error).toContain("--forget-missing forgets them");
  const { missing } = JSON.parse((await runCommand(["import", notes, "--json"])).out) as { missing: unknown };
  expect(missing).toEqual([{ source: "notes/one.md", memories: 1 }]);
  rmSync(join(notes, "moved.md"));
  const dry = await runCommand(["import", notes, "--forget-missing", "--dry-run"]);
  expect(dry.out).toContain("It would be: 0 files into global: 0 new, 0 changed, 2 gone");
  const { out, error } = await runCommand(["import", notes, "--forget-missing"]);
  expect(out).toContain("2 gone");
  expect(error).not.toContain("not there any more");
  expect((await runCommand(["recall", "deploys"])).out).not.toContain("Thursdays");
});

test("standard input is not imported, and what to do instead is said", async () => {
  const refused = await runCommand(["import", "-"]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.error).toContain("import takes files and folders, and no standard input (-).");
  expect(refused.error).toContain("loci remember -");
});

test("a file of a folder that is no text is named, and the others are imported", async () => {
  const notes = join(folder, "notes");
  writeFileSync(join(notes, "a-latin.md"), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  const { code, out, error } = await runCommand(["import", notes]);
  expect(code).toBe(0);
  expect(out).toContain("1 file into global: 1 new");
  expect(error).toContain(`left out: ${join(notes, "a-latin.md")} is not valid UTF-8. Convert it to UTF-8 first.`);
  const { leftOut } = JSON.parse((await runCommand(["import", notes, "--json"])).out) as { leftOut: unknown };
  expect(leftOut).toEqual([{ path: join(notes, "a-latin.md"), problem: expect.stringContaining("UTF-8") as string }]);
});

test("a file with a section that holds a secret is named", async () => {
  const notes = join(folder, "notes");
  const token = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
  writeFileSync(join(notes, "two.md"), `# Two\n\nThe token is ${token}.\n`);
  const { code, out, error } = await runCommand(["import", notes]);
  expect(code).toBe(0);
  expect(out).toContain("1 new, 0 changed, 0 gone, 0 unchanged. 1 hold a secret and were left out.");
  expect(error).toContain(`left out of ${join(notes, "two.md")}: 1 section that holds a secret`);
});

test("exports and conversations are known by what is in them, whatever their files are called", async () => {
  await runCommand(["remember", "The ferry leaves at nine.", "--scope", "user:ann"]);
  for (const name of ["all.jsonl", "all.json", "all.ndjson", "all"]) {
    const file = join(folder, name);
    await runCommand(["export", file]);
    expect((await runCommand(["import", file])).out).toBe("From exports: 0 memories. 1 were there, 0 stay erased.\n");
    expect((await runCommand(["import", file, "--dry-run"])).error).toContain(`not of ${file}`);
  }
  const talk = join(folder, "talk.ndjson");
  writeFileSync(talk, `${JSON.stringify({ session_id: "talk", messages: [{ role: "user", content: "Hello." }] })}\n`);
  await runCommand(["import", talk, "--scope", "user:ann"]);
  expect((await runCommand(["sessions", "list", "--scope", "user:ann"])).out).toContain("talk");
  expect((await runCommand(["scopes"])).out.trim()).toMatch(/^1 +user:ann$/);
});

test("scopes are listed with how much they hold", async () => {
  expect((await runCommand(["remember", "One.", "--scope", "user:ann"])).code).toBe(0);
  await runCommand(["remember", "Two.", "--scope", "user:ann"]);
  const third = await runCommand(["remember", "Three.", "--json"]);
  expect((await runCommand(["scopes"])).out).toBe("       1  global\n       2  user:ann\n");
  await runCommand(["memories", "forget", (JSON.parse(third.out) as { id: string }).id]);
  expect(JSON.parse((await runCommand(["scopes", "--json"])).out)).toEqual({
    scopes: [{ scope: "user:ann", memories: 2 }],
  });
});
