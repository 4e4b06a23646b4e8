import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Block, BlockEditDetails, BlockHistory, ProposedBlockEdit } from "@loci/loci";
import { openEngine, runEditMemoryBlock, tenantId } from "@loci/loci";
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
  process.exitCode = undefined;
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

test("an owner without blocks is said to have none", async () => {
  expect(await run("create", "human")).toMatch(
    /^Created human, version 1\.\nIt says nothing yet: loci blocks edit human --scope user:/u,
  );
  await run("delete", "human");
  expect(await run("list")).toBe("user:alice has no blocks. Another owner: --scope.\n");
  expect(await json("list")).toEqual({ blocks: [] });
});

test("a proposed edit is shown, and one operation of it is approved", async () => {
  const file = join(folder, "human.toml");
  writeFileSync(file, 'name = "Alice"\n');
  expect((await json<Block>("create", "human", "--file", file)).version).toBe(1);
  const operations = [
    { op: "append", field: "preferences", value: "tea" },
    { op: "set", field: "name", value: "Bea" },
  ].flatMap((operation) => ["--operation", JSON.stringify(operation)]);
  const { id } = await json<ProposedBlockEdit>("propose", "human", ...operations, "--reason", "She said so");
  await json(
    "propose",
    "human",
    "--operation",
    '{"op":"append","field":"facts","value":"x"}',
    "--reason",
    "Why\n  + Eve",
  );
  const shown = await run("pending");
  expect(shown).toContain("\n  | Why\n  |   + Eve\n");
  expect(shown).toContain("[0] append preferences: tea");
  expect(shown).toContain("- Alice");
  expect(await run("approve", id, "--hunk", "0", "--dry-run")).toContain("Nothing was written.");
  expect(await run("approve", id, "--hunk", "0")).toContain("human is at version 2.");
  expect(await run("show", "human", "--form", "text")).toBe("[USER] Alice\n[PREFS] tea\n");
  const { edits } = await json<{ edits: BlockEditDetails[] }>("pending");
  expect(edits.map(({ edit }) => edit.reason)).toEqual(["Why\n  + Eve"]);
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

test("the editor is given the headings of what a block does not say yet", async () => {
  await run("create", "human");
  const editor = written(
    "fill.mjs",
    'import fs from "node:fs"; const file = process.argv[2]; fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("## Facts\\n", "## Facts\\n- sings\\n"));',
  );
  vi.stubEnv("EDITOR", `${process.execPath} ${editor}`);
  vi.stubEnv("VISUAL", undefined);
  expect(await run("edit", "human")).toContain("version 2");
  expect((await run("show", "human")).trimEnd()).toBe("---\nblock: human\n---\n## Facts\n- sings");
  // Nothing changed is no version.
  expect(await run("edit", "human", "--file", written("same.md", await run("show", "human")))).toContain("version 2");
});

test("how long blocks may be is set by a variable", async () => {
  const long = written("human.toml", `name = "${"A".repeat(200)}"\n`);
  vi.stubEnv("LOCI_CORE_MEMORY_MAX_CHARS", "150");
  const create = ["blocks", "create", "human", "--file", long, ...scope];
  expect((await runCommand(create)).error).toContain("BLOCK_LIMIT_EXCEEDED");
  for (const wrong of ["much", "1e3", "99", "150.5", "-1"]) {
    vi.stubEnv("LOCI_CORE_MEMORY_MAX_CHARS", wrong);
    expect((await runCommand(create)).error).toContain("INVALID_CONFIGURATION");
  }
  vi.stubEnv("LOCI_CORE_MEMORY_MAX_CHARS", "");
  expect((await runCommand(create)).code).toBe(0);
});

test("a form is made of a file, used, shown and removed", async () => {
  const form = written(
    "recipe.toml",
    'name = "recipe"\ndescription = "How to cook it."\n[[fields]]\nname = "dish"\ntype = "string"\nrequired = true\n' +
      '[[fields]]\nname = "steps"\ntype = "list"\nmax = 3\noverflow = "archive"\n',
  );
  expect(await run("schema", "create", form)).toContain("Created recipe: loci blocks create LABEL --schema recipe");
  expect(await run("schemas")).toMatch(/\nrecipe +How to cook it\.\n$/);
  expect(await run("schema", "show", "recipe")).toBe(
    "recipe: How to cook it.\n" +
      "  dish                  string, required\n" +
      "  steps                 list, at most 3, the oldest become memories\n",
  );
  await run(
    "create",
    "soup",
    "--schema",
    "recipe",
    "--file",
    written("soup.toml", 'dish = "Soup"\nsteps = ["Boil"]\n'),
  );
  expect(await run("show", "soup", "--form", "text")).toContain("Boil");
  const used = await runCommand(["blocks", "schema", "delete", "recipe", ...scope]);
  expect([used.code, used.error]).toEqual([expect.any(Number), expect.stringContaining("SCHEMA_IN_USE")]);
  await run("delete", "soup");
  expect(await run("schema", "delete", "recipe")).toBe("Deleted: recipe\n");
  for (const [words, reason] of [
    [["schema", "show", "recipe"], "SCHEMA_NOT_FOUND"],
    [["schema", "delete", "human"], "SCHEMA_IN_USE"],
    [["schema", "create", join(folder, "nowhere.toml")], "FILE_NOT_FOUND"],
    [["schema", "create", written("bad.toml", "name = \n")], "INVALID_BLOCK_TEXT"],
  ] as const)
    expect((await runCommand(["blocks", ...words, ...scope])).error).toContain(reason);
});

test("an agent proposes, a person approves a part of it, and the next context differs by that line", async () => {
  await run("create", "human", "--file", written("human.toml", 'name = "Alice"\npreferences = ["tea"]\n'));
  const dataDirectory = join(folder, "data");
  // What an agent's backend does with the tool call of a model.
  const engine = await openEngine({ dataDirectory, index: "memory", gitMirrors: true });
  const coach = {
    tenant: tenantId("local"),
    subject: "coach",
    roles: ["read", "write"],
    scopePatterns: ["user:alice"],
  } as const;
  const operations = [
    { op: "append", field: "preferences", value: "short answers" },
    { op: "set", field: "name", value: "Bea" },
  ];
  const toolCall = { label: "human", operations, reason: "She asked for short answers" };
  const answer = await runEditMemoryBlock(engine.for(coach), "user:alice", toolCall);
  await engine.close();
  expect(answer).toContain("A person decides about it.");

  const context = async (): Promise<readonly string[]> => {
    const { out } = await runCommand(["assemble", "What now?", "--block-owner", "user:alice", ...scope]);
    return out.split("\n");
  };
  const before = await context();
  const pending = await run("pending");
  expect(pending).toContain("[0] append preferences: short answers");
  expect(pending).toContain("[1] set name");
  expect(pending).toContain("coach");
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(pending)?.[0] ?? "";
  await run("approve", id, "--hunk", "0");
  const after = await context();
  const changed = after.filter((line) => !before.includes(line));
  expect(changed).toEqual(["[PREFS] tea; short answers"]);
  expect(before.filter((line) => !after.includes(line))).toHaveLength(1);
  const mirrors = join(dataDirectory, "git-mirrors");
  const [tenant = ""] = readdirSync(mirrors);
  const owner = readdirSync(join(mirrors, tenant)).find((name) => name.startsWith("user-alice")) ?? "";
  const log = ["-C", join(mirrors, tenant, owner), "log", "-1", "--format=%an %cn %s"];
  // Where git is not installed there is nobody to ask.
  const told = hasGit() ? execFileSync("git", log, { encoding: "utf8" }) : "coach local She asked for short answers\n";
  expect(told).toBe("coach local She asked for short answers\n");
});

function hasGit(): boolean {
  return spawnSync("git", ["--version"]).status === 0;
}

test("what was exported is imported again, with the edits that wait", async () => {
  const from = join(folder, "exported");
  await run("create", "human", "--file", written("human.toml", 'name = "Alice"\n'));
  await run("create", "persona", "--preset", "assistant");
  await run("propose", "human", "--operation", JSON.stringify({ op: "append", field: "facts", value: "sings" }));
  expect(await json("export", from)).toEqual({ blocks: 2, edits: 1 });
  const made = readdirSync(from, { recursive: true, encoding: "utf8" });
  for (const name of [".", ...made]) expect([name, statSync(join(from, name)).mode & 0o077]).toEqual([name, 0]);
  const bob = ["--scope", "user:bob"];
  const { out } = await runCommand(["blocks", "import", from, ...bob, "--json"]);
  expect(JSON.parse(out)).toEqual({ created: 2, changed: 0, versions: 0, proposed: 1, skipped: [] });
  writeFileSync(join(from, "blocks", "human.toml"), 'name = "Bob"\n');
  rmSync(join(from, "pending_diffs"), { recursive: true });
  expect((await runCommand(["blocks", "import", from, ...bob])).out).toContain("0 created, 1 changed, 0 proposed");
  expect((await runCommand(["blocks", "show", "human", "--form", "text", ...bob])).out).toBe("[USER] Bob\n");
});

test("a block that is left out of an import is named on standard error, and a script sees it by the exit code", async () => {
  const from = join(folder, "exported");
  await run("create", "human", "--file", written("human.toml", 'name = "Alice"\n'));
  await run("create", "persona", "--preset", "assistant");
  await run("export", from);
  writeFileSync(join(from, "blocks", "human.toml"), "name = \n");
  const bob = ["--scope", "user:bob"];
  const { out, error } = await runCommand(["blocks", "import", from, ...bob]);
  expect(process.exitCode).toBe(1);
  expect(out).toBe("1 created, 0 changed, 0 proposed.\n");
  expect(error).toMatch(/^loci: left out: .*human\.toml: .+\nloci: not all was taken over: 1 file left out\. .+\n$/);
  process.exitCode = undefined;
  const again = await runCommand(["blocks", "import", from, ...bob, "--json"]);
  expect(process.exitCode).toBe(1);
  expect(JSON.parse(again.out)).toMatchObject({ created: 0, skipped: [{ file: "blocks/human.toml" }] });
  writeFileSync(join(from, "blocks", "human.toml"), 'name = "Alice"\n');
  process.exitCode = undefined;
  expect((await runCommand(["blocks", "import", from, ...bob])).out).toBe("1 created, 0 changed, 0 proposed.\n");
  expect(process.exitCode ?? 0).toBe(0);
});

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test("blocks are not exported to where no folder can be", async () => {
  await run("create", "human");
  const file = join(folder, "file");
  writeFileSync(file, "");
  const { code, error } = await runCommand(["blocks", "export", file, ...scope]);
  expect(code).toBe(3);
  expect(error).toContain(`${file} cannot be written: E`);
});

test("a memory gets a line of a core memory, and a line becomes a memory", async () => {
  await run("create", "core_memory");
  const remembered = await runCommand(["remember", "Never deploy on Fridays.", ...scope, "--json"]);
  const { id } = JSON.parse(remembered.out) as { id: string };
  expect(await run("promote", "core_memory", id, "--heading", "Critical rules")).toBe("core_memory is at version 2.\n");
  expect(await run("show", "core_memory")).toContain("Critical rules\n- Never deploy on Fridays.\n");
  expect(await run("demote", "core_memory", "Never deploy on Fridays.")).toBe("core_memory is at version 3.\n");
  expect(await run("show", "core_memory")).not.toContain("Fridays");
});
