import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Block, BlockEditDetails, BlockHistory, ProposedBlockEdit } from "@loci/loci";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

const scope = ["--scope", "user:alice"];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-"));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
  vi.stubEnv("LOCI_INDEX_USE", "memory");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function run(...words: readonly string[]): Promise<string> {
  const { code, out, error } = await runCommand(["blocks", ...words, ...scope]);
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return out;
}

async function json<Value>(...words: readonly string[]): Promise<Value> {
  return JSON.parse(await run(...words, "--json")) as Value;
}

test("a proposed edit is shown, and one operation of it is approved", async () => {
  const file = join(folder, "human.toml");
  writeFileSync(file, 'name = "Alice"\n');
  expect((await json<Block>("create", "human", "--file", file)).version).toBe(1);
  const operations = [
    { op: "append", field: "preferences", value: "tea" },
    { op: "set", field: "name", value: "Bea" },
  ].flatMap((operation) => ["--operation", JSON.stringify(operation)]);
  const { id } = await json<ProposedBlockEdit>("propose", "human", ...operations, "--reason", "She said so");
  const shown = await run("pending");
  expect(shown).toContain("[0] append preferences: tea");
  expect(shown).toContain("- Alice");
  expect(await run("approve", id, "--hunk", "0", "--dry-run")).toContain("Nothing was written.");
  expect(await run("approve", id, "--hunk", "0")).toContain("human is at version 2.");
  expect(await run("show", "human", "--form", "text")).toBe("[USER] Alice\n[PREFS] tea\n");
  expect(await json<BlockEditDetails[]>("pending")).toEqual([]);
  const { versions } = await json<BlockHistory>("history", "human");
  expect(versions.map(({ message }) => message)).toEqual(["She said so", "Create human"]);
  expect(await run("diff", "human", "1")).toBe("  preferences\n  + tea\n");
  expect(await run("restore", "human", String(versions[1]?.commitId))).toContain("version 3");
});

test("a block is edited in the editor, and what is wrong names its line", async () => {
  await run("create", "persona", "--preset", "assistant");
  const editor = join(folder, "editor.mjs");
  writeFileSync(
    editor,
    'import fs from "node:fs"; const file = process.argv[2]; fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("friendly", "calm"));',
  );
  vi.stubEnv("VISUAL", "");
  vi.stubEnv("EDITOR", `${process.execPath} ${editor}`);
  vi.stubEnv("VISUAL", undefined);
  expect(await run("edit", "persona")).toContain("version 2");
  expect(await run("show", "persona")).toContain("calm");
  const wrong = join(folder, "persona.md");
  writeFileSync(wrong, "---\nblock: persona\n---\n## Nonsense\n");
  const { code, error } = await runCommand(["blocks", "edit", "persona", "--file", wrong, ...scope]);
  expect(code).not.toBe(0);
  expect(error).toContain("Line 4");
});

test("what was exported is imported again, with the edits that wait", async () => {
  const from = join(folder, "exported");
  await run("create", "human", "--file", written("human.toml", 'name = "Alice"\n'));
  await run("create", "persona", "--preset", "assistant");
  await run("propose", "human", "--operation", JSON.stringify({ op: "append", field: "facts", value: "sings" }));
  expect(await json("export", from)).toEqual({ blocks: 2, edits: 1 });
  const bob = ["--scope", "user:bob"];
  const { out } = await runCommand(["blocks", "import", from, ...bob, "--json"]);
  expect(JSON.parse(out)).toEqual({ created: 2, changed: 0, versions: 0, proposed: 1, skipped: [] });
  writeFileSync(join(from, "blocks", "human.toml"), 'name = "Bob"\n');
  rmSync(join(from, "pending_diffs"), { recursive: true });
  expect((await runCommand(["blocks", "import", from, ...bob])).out).toContain("0 created, 1 changed, 0 proposed");
  expect((await runCommand(["blocks", "show", "human", "--form", "text", ...bob])).out).toBe("[USER] Bob\n");
});

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
