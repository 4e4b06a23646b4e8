import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { divideDirectory, type MaintenanceReport, type Memory } from "@loci/loci";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-maintenance-"));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  rmSync(folder, { recursive: true });
});

async function json<Value>(...words: readonly string[]): Promise<Value> {
  const { code, out, error } = await runCommand([...words, "--json"]);
  expect({ code, error: error.replace(/^loci: nothing is stored in .*\n/u, "") }).toEqual({ code: 0, error: "" });
  return JSON.parse(out) as Value;
}

async function rememberTwo(): Promise<readonly Memory[]> {
  return [
    await json<Memory>("remember", "Alice deploys on Thursday.", "--scope", "user:alice"),
    await json<Memory>("remember", "Bob likes tea.", "--scope", "user:bob"),
  ];
}

test("a directory that holds data of others is not taken for an empty one, and nothing is erased of nobody", async () => {
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  const hers = ["--scope", "user:ann"];
  for (const tenant of ["acme", "bob", "carl", "dora"])
    await json("remember", `${tenant} knows.`, ...hers, "--as-tenant", tenant);
  const guessed = await runCommand(["memories", "list", ...hers]);
  expect(guessed.error).toContain("holds data of acme, bob, carl and others. This is about the tenant local");
  expect(
    (await json<{ memories: Memory[] }>("memories", "list", ...hers, "--as-tenant", "bob")).memories,
  ).toMatchObject([{ text: "bob knows." }]);
  // What works on the files of every tenant is about none of them.
  await json("compact");
  await json("reindex", "--to", "memory", "--dry-run");
  const erase = ["erase", "--user", "ann"];
  const refused = await runCommand(erase);
  expect([refused.code, refused.error]).toEqual([2, expect.stringContaining("--as-tenant acme, or --as-tenant local")]);
  const { counts, notes } = await json<MaintenanceReport>(...erase, "--as-tenant", "acme");
  expect([counts["erased"], notes[0]]).toEqual([1, expect.stringContaining("user:ann of the tenant acme was erased")]);
  expect(
    (await json<{ memories: Memory[] }>("memories", "list", ...hers, "--as-tenant", "dora")).memories,
  ).toHaveLength(1);
  expect((await runCommand([...erase, "--as-tenant", "acme", "--connect", "127.0.0.1:1"])).error).toContain(
    "--as-tenant",
  );
});

test("indexes are verified, moved and dropped, and jobs report", async () => {
  await rememberTwo();
  expect((await json<MaintenanceReport>("verify")).counts["rows"]).toBe(4);
  expect((await json<MaintenanceReport>("reindex", "--to", "memory", "--dry-run")).dryRun).toBe(true);
  expect((await json<MaintenanceReport>("reindex", "--to", "memory")).counts["changes"]).toBe(2);
  expect((await json<MaintenanceReport>("reindex", "--to", "embedded", "--drop-old")).counts["dropped"]).toBe(1);
  expect((await json<MaintenanceReport>("verify", "--repair")).findings).toEqual([]);
  for (const job of ["expire", "prune", "reweigh"])
    expect((await json<MaintenanceReport>("maintenance", job, "--dry-run")).counts["scanned"]).toBe(2);
  expect((await json<MaintenanceReport>("maintenance", "review")).job).toBe("review");
  expect((await json<MaintenanceReport>("compact")).job).toBe("compact");
  const { out } = await runCommand(["verify"]);
  expect(out).toContain("verify (nothing was changed): 4 rows, 0 missing");
  const { code, error } = await runCommand(["reindex", "--to", "nowhere"]);
  expect([code === 0, error.includes("nowhere")]).toEqual([false, true]);
});

test("what is exported comes back, what is erased does not, and a backup is told so", async () => {
  // Needs no thread. What is tested is the same with every index.
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  const [hers] = await rememberTwo();
  const file = join(folder, "all.jsonl");
  expect(await json("export", file)).toEqual({ file, memories: 2 });
  expect((await runCommand(["export", file])).code).not.toBe(0);
  // The second line was cut off, as by a full disk.
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, `${lines[0]}\n${lines[1]?.slice(0, 20)}`);
  expect(await json("export", file, "--resume")).toEqual({ file, memories: 1 });
  expect(readFileSync(file, "utf8").split("\n")).toEqual(lines);

  const backup = join(folder, "backup");
  await json("backup", backup);
  expect((await json<MaintenanceReport>("erase", "--user", "alice", "--dry-run")).counts["found"]).toBe(1);
  expect((await json<MaintenanceReport>("erase", "--user", "alice")).counts["erased"]).toBe(1);
  expect(await json("import", file)).toMatchObject({ files: 0, restored: { imported: 0, unchanged: 1, erased: 1 } });
  const erasures = join(folder, "erasures.jsonl");
  writeFileSync(erasures, (await runCommand(["erasures"])).out);
  expect(readFileSync(erasures, "utf8")).toContain(hers?.id ?? "no id");

  const target = join(folder, "restored");
  expect(await json("restore", backup, "--data", target, "--erasures", erasures)).toMatchObject({ erased: 1 });
  const list = ["memories", "list", "--scope", "user:alice", "user:bob", "--data"];
  expect((await json<{ memories: readonly Memory[] }>(...list, target)).memories.map(({ text }) => text)).toEqual([
    "Bob likes tea.",
  ]);
  // Elsewhere, where nothing was erased, the export is taken back whole.
  const elsewhere = join(folder, "elsewhere");
  expect(await json("import", file, "--data", elsewhere)).toMatchObject({ restored: { imported: 2 } });
  expect((await json<{ memories: readonly Memory[] }>(...list, elsewhere)).memories.length).toBe(2);
});

test("memories of an export that may not be stored any more are left out with their lines, and the others are taken back", async () => {
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  await rememberTwo();
  const [hers = "", his = ""] = (await runCommand(["export", "-"])).out.trimEnd().split("\n");
  const blank = JSON.stringify({ ...(JSON.parse(hers) as object), text: "\u00a0 \u200b" });
  const hidden = JSON.stringify({ ...(JSON.parse(hers) as object), tags: ["de\u202eploy"] });
  const file = join(folder, "old.jsonl");
  writeFileSync(file, `${blank}\n\n${hidden}\n${his}\n`);
  const target = ["--data", join(folder, "restored")];
  const { code, out, error } = await runCommand(["import", file, ...target]);
  expect(code).toBe(0);
  expect(out).toContain("From exports: 1 memory. 0 were there, 0 stay erased. 2 were left out.");
  expect(error).toContain(`${file}:1: text holds nothing but white space or characters that cannot be seen.`);
  expect(error).toContain(`${file}:3: tags[0] holds U+202E at 2, which cannot be seen.`);
  const again = await runCommand(["import", file, ...target, "--json"]);
  expect(JSON.parse(again.out)).toMatchObject({
    restored: {
      imported: 0,
      unchanged: 1,
      leftOut: [
        { path: file, line: 1, reason: "INVALID_TEXT" },
        { path: file, line: 3, reason: "INVALID_TAGS" },
      ],
    },
  });
});

test("an export that was cut off anywhere is gone on with, and no other file is touched", async () => {
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  await rememberTwo();
  const file = join(folder, "all.jsonl");
  await json("export", file);
  const whole = readFileSync(file);
  const first = whole.indexOf("\n");
  for (const [left, memories] of [
    [0, 2],
    [5, 2],
    // Before and behind the line break.
    [first, 2],
    [first + 1, 1],
    [whole.length - 1, 1],
    [whole.length, 0],
  ] as const) {
    writeFileSync(file, whole.subarray(0, left));
    expect(await json("export", file, "--resume")).toEqual({ file, memories });
    expect(readFileSync(file)).toEqual(whole);
  }
  // As a file is left by a machine that lost its power.
  writeFileSync(file, Buffer.concat([whole.subarray(0, first + 1), Buffer.alloc(100)]));
  expect(await json("export", file, "--resume")).toEqual({ file, memories: 1 });
  expect(readFileSync(file)).toEqual(whole);

  for (const other of [
    "something else\n",
    "no line break",
    '{"id":"1","content":"a conversation"}\n',
    `${whole.toString()}{"id":"1"}\n`,
    `${whole.toString().slice(0, 40)}\n${whole.toString()}`,
  ]) {
    writeFileSync(file, other);
    expect(await runCommand(["export", file, "--resume"])).toMatchObject({
      code: 2,
      error: expect.stringContaining("is not what an export has left") as string,
    });
    expect(readFileSync(file, "utf8")).toBe(other);
  }
});

test("everything that is kept goes into a file, or a part of it, and comes back with its blocks and sessions", async () => {
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  await rememberTwo();
  await json("blocks", "create", "human", "--scope", "user:alice");
  const talk = join(folder, "talk.jsonl");
  writeFileSync(talk, '{"role":"user","content":"I play the cello."}\n{"role":"assistant","content":"Noted."}\n');
  await json("sessions", "import", talk, "--scope", "user:alice");
  const file = join(folder, "all.jsonl");
  const all = { memories: 2, blockVersions: 1, sessions: 1, turns: 2 };
  expect(await json("export", file)).toEqual({ file, ...all });
  const whole = readFileSync(file, "utf8");
  const lines = whole.trimEnd().split("\n");
  // Cut off within a session.
  writeFileSync(file, `${lines.slice(0, -1).join("\n")}\n{"format":"loci-rec`);
  expect(await json("export", file, "--resume")).toEqual({ file, memories: 0, turns: 1 });
  expect(readFileSync(file, "utf8")).toBe(whole);
  const part = join(folder, "part.jsonl");
  expect(await json("export", part, "--only", "memories,blocks", "--scope", "user:alice")).toEqual({
    file: part,
    memories: 1,
    blockVersions: 1,
  });
  expect(await runCommand(["export", "-", "--only", "words"])).toMatchObject({ code: 2, out: "" });

  const elsewhere = ["--data", join(folder, "elsewhere")];
  const { out } = await runCommand(["import", file, ...elsewhere]);
  expect(out).toBe(
    "From exports: 2 memories, 1 version of a block, 1 session, 2 turns. 0 were there, 0 stay erased.\n",
  );
  expect(await json("import", file, ...elsewhere)).toMatchObject({
    restored: { imported: 0, unchanged: 6, erased: 0, types: { memories: 0 }, leftOut: [] },
  });
  const again = join(folder, "again.jsonl");
  expect(await json("export", again, ...elsewhere)).toEqual({ file: again, ...all });
});

test("what is wrong with a line of an export is told with its place in the file, and a mark before the first is passed over", async () => {
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  await rememberTwo();
  const file = join(folder, "all.jsonl");
  await json("export", file);
  const [first = "", second = ""] = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, `\ufeff\n${first}\n\n${second.replace(/"importance":[\d.]+/u, '"importance":9')}\n`);
  expect(await runCommand(["import", file])).toMatchObject({
    code: 2,
    error: expect.stringContaining(`${file}:4: importance must be a number from 0 to 1`) as string,
  });
  writeFileSync(file, `\ufeff${first}\n${second}`);
  expect(await json("import", file)).toMatchObject({ restored: { imported: 0, unchanged: 2 } });
});

test("an export can be read from standard output, and is what a file would hold", async () => {
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  await rememberTwo();
  const file = join(folder, "all.jsonl");
  await json("export", file);
  expect(await runCommand(["export", "-"])).toEqual({ code: 0, error: "", out: readFileSync(file, "utf8") });
  expect(await runCommand(["export", "-", "--resume"])).toMatchObject({ code: 2, out: "" });
});

test("an export that cannot be written says why and what to do, to machines in JSON", async () => {
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  await rememberTwo();
  const file = join(folder, "all.jsonl");
  await json("export", file);
  for (const [path, code, reason] of [
    [file, 2, "INVALID_REQUEST"],
    [join(folder, "missing", "all.jsonl"), 3, "FILE_NOT_FOUND"],
  ] as const) {
    const ended = await runCommand(["export", path, "--json"]);
    expect([ended.code, JSON.parse(ended.error)]).toMatchObject([code, { error: { reason, resource: path } }]);
  }
});

test("of a divided directory a job on its files says which part it has reached, and others are as ever", async () => {
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  await rememberTwo();
  await divideDirectory(join(folder, "data"), 3);
  const compacted = await runCommand(["compact", "--json"]);
  expect(compacted.code).toBe(0);
  expect(compacted.error).toContain("is shard 0 of 3. Do the same with --data for shards/1, shards/2 in it.");
  const erased = await runCommand(["erasures"]);
  expect(erased).toMatchObject({ code: 0, error: expect.stringContaining("shard 0 of 3") as unknown });
  expect((await json<MaintenanceReport>("maintenance", "expire", "--dry-run")).counts["scanned"]).toBe(2);
});
