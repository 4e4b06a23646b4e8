import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LociError, type Role, type ScopeText, tenantId } from "@loci/domain";
import { type Loci, openEngine } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MemoryCommand, MemoryTool, type MemoryToolOptions } from "../src/index.ts";

let directory = "";
let engine: Awaited<ReturnType<typeof openEngine>>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "loci-memory-tool-"));
  engine = await openEngine({ dataDirectory: directory });
});
afterAll(async () => {
  await engine.close();
  await rm(directory, { recursive: true });
});

function as(subject: string, ...roles: Role[]): Loci {
  return engine.for({ tenant: tenantId("acme"), subject, roles, scopePatterns: ["*"] });
}

/** The tool of an agent that may write, and what a person does who may approve. */
function memoryOf(owner: ScopeText, options: Partial<MemoryToolOptions> = {}) {
  const loci = as("agent", "read", "write");
  const tool = new MemoryTool({ loci, owner, ...options });
  const person = as("ben", "read", "write", "approve");
  return {
    run: (command: MemoryCommand) => tool.run(command),
    refused: (command: MemoryCommand) => tool.run(command).then(Promise.reject, (error: Error) => error.message),
    /** Approves all that waits, in its order. */
    approve: async () => {
      for (const { id } of (await person.blocks.listEdits({ owner })).edits) {
        const { preview } = await person.blocks.getEdit({ id });
        await person.blocks.approve({ id, baseVersion: preview!.baseVersion, contentHash: preview!.contentHash });
      }
    },
    edits: async () => (await person.blocks.listEdits({ owner })).edits,
  };
}

const newOwner = (): ScopeText => `user:${randomUUID()}`;
const administrator = (): Loci => as("ada", "admin");
const path = "/memories/trip.md";
const missing = `The path ${path} does not exist. Please provide a valid path.`;

describe("a model whose changes a person approves", () => {
  test("proposes a file, sees that it waits, and reads it when it is approved", async () => {
    const { run, refused, approve, edits } = memoryOf(newOwner());
    const answer = await run({ command: "create", path, file_text: "Oslo on Friday.\n" });
    const [edit] = await edits();
    expect(answer).toBe(`Proposed as edit ${edit?.id}: it takes effect when a person approves it.`);
    expect(edit).toMatchObject({ reason: `Create ${path}`, proposer: "agent" });
    expect(await refused({ command: "view", path })).toBe(
      `${missing}\n\n1 edit of this file waits until a person approves.`,
    );
    expect(await run({ command: "view", path: "/memories" })).toMatch(
      /4K\t\/memories\n\n1 edit of files in this directory waits until a person approves\.$/,
    );
    await approve();
    expect(await run({ command: "view", path })).toBe(
      `Here's the content of ${path} with line numbers:\n     1\tOslo on Friday.\n     2\t`,
    );
    expect(await run({ command: "view", path: "/memories" })).toMatch(/4K\t\/memories\n16B\t\/memories\/trip\.md$/);
  });

  test("proposes each change as what is changed, so that several stand side by side", async () => {
    const { run, approve, edits } = memoryOf(newOwner());
    const text = ["one", "two", "three", "four", "five", "six", "seven"].join("\n");
    await run({ command: "create", path, file_text: text });
    await approve();
    await run({ command: "str_replace", path, old_str: "one", new_str: "1" });
    await run({ command: "str_replace", path, old_str: "six", new_str: "6" });
    expect((await edits()).map(({ operations }) => operations)).toEqual([
      [{ op: "replace", field: "text", old: "one\ntwo", value: "1\ntwo" }],
      [{ op: "replace", field: "text", old: "five\nsix\nseven", value: "five\n6\nseven" }],
    ]);
    expect(await run({ command: "view", path })).toMatch(/1\tone\n[^]*\n\n2 edits of this file wait until/);
    await approve();
    expect(await run({ command: "view", path, view_range: [1, 1] })).toMatch(/1\t1$/);
    expect(await run({ command: "view", path, view_range: [6, 6] })).toMatch(/6\t6$/);
  });

  test("proposes to move and to delete, a directory file by file", async () => {
    const { run, refused, approve, edits } = memoryOf(newOwner());
    await run({ command: "create", path: "/memories/a/one", file_text: "1" });
    await run({ command: "create", path: "/memories/a/two", file_text: "2" });
    await approve();
    expect(await run({ command: "rename", old_path: "/memories/a", new_path: "/memories/b" })).toMatch(
      /^Proposed as edits [^,]+, [^,]+, [^,]+ and [^,]+: they take effect when a person approves them\.$/,
    );
    expect(await run({ command: "view", path: "/memories/a/one" })).toContain("\n\n1 edit of this file waits");
    expect(await edits()).toHaveLength(4);
    await approve();
    expect(await refused({ command: "view", path: "/memories/a/one" })).toContain("does not exist");
    expect(await run({ command: "view", path: "/memories/b/one" })).toMatch(/1\t1$/);
    await run({ command: "delete", path: "/memories/b" });
    await approve();
    expect(await run({ command: "view", path: "/memories" })).toMatch(/4K\t\/memories$/);
  });

  test("changes nothing of what is read only, and makes nothing that takes effect at once", async () => {
    const owner = newOwner();
    const { run, refused, approve } = memoryOf(owner);
    await run({ command: "create", path, file_text: "Oslo" });
    await approve();
    const [block] = await administrator().blocks.list({ owner, schema: "memory_file" });
    await administrator().blocks.update({ owner, label: block!.label }, { policy: "read_only" }, { etag: block!.etag });
    expect(await refused({ command: "delete", path })).toContain("is read only");
    expect(await refused({ command: "rename", old_path: path, new_path: "/memories/b" })).toContain(
      "may not be changed",
    );
    expect(await run({ command: "view", path: "/memories" })).not.toContain("/memories/b");
    const auto = memoryOf(owner, { policy: "auto" });
    expect(await auto.refused({ command: "create", path: "/memories/c", file_text: "" })).toContain("the role approve");
  });
});

describe("a model whose changes take effect at once", () => {
  const memory = (owner = newOwner()) => memoryOf(owner, { loci: administrator(), policy: "auto" });

  test.each([
    "",
    "\n",
    "\r\n",
    "a\r\nb",
    "\n\na\n\n\n",
    "  \na",
    'a\n\t"""',
    "\\n\\",
    "\0",
    "\u0085\u2028",
    "\ufeffx",
    "{}",
    '"x"',
  ])("keeps each character of %j", async (text) => {
    const { run } = memory();
    await run({ command: "create", path, file_text: text });
    await run({ command: "insert", path, insert_line: 0, insert_text: "first" });
    const lines = ["first", ...text.split("\n")].map((line, index) => `${String(index + 1).padStart(6)}\t${line}`);
    expect(await run({ command: "view", path })).toBe(
      `Here's the content of ${path} with line numbers:\n${lines.join("\n")}`,
    );
  });

  test("has the history of a file as that of its block, and what was deleted can be brought back", async () => {
    const owner = newOwner();
    const { run } = memory(owner);
    await run({ command: "create", path, file_text: "Oslo" });
    await run({ command: "str_replace", path, old_str: "Oslo", new_str: "Bergen" });
    const [file] = await administrator().blocks.list({ owner, schema: "memory_file" });
    const { label } = file!;
    await run({ command: "delete", path });
    const { versions } = await administrator().blocks.history({ owner, label });
    expect(versions.map(({ message }) => message)).toEqual([`Delete ${path}`, `Edit ${path}`, `Create ${path}`]);
    await administrator().blocks.restore({ owner, label, version: 1 });
    expect(await run({ command: "view", path })).toMatch(/1\tOslo$/);
  });

  test("keeps what all of many at once write", async () => {
    const owner = newOwner();
    const both = [memory(owner), memory(owner)];
    const created = await Promise.all(
      both.map(({ run }) => run({ command: "create", path, file_text: "" }).catch((error: Error) => error.message)),
    );
    expect(created.toSorted()).toEqual([`File ${path} already exists`, `File created successfully at: ${path}`]);
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    await Promise.all(
      lines.map((line, index) => both[index % 2]!.run({ command: "insert", path, insert_line: 0, insert_text: line })),
    );
    const shown = await both[0]!.run({ command: "view", path });
    expect(lines.filter((line) => shown.includes(`\t${line}\n`))).toEqual(lines);
    expect(shown.split("\n")).toHaveLength(lines.length + 2);
  });

  test("loses nothing when a file is written while it is moved", async () => {
    const { run, refused } = memory();
    await run({ command: "create", path, file_text: "Oslo" });
    const target = "/memories/b/trip.md";
    const [written] = await Promise.allSettled([
      run({ command: "insert", path, insert_line: 0, insert_text: "first" }),
      run({ command: "rename", old_path: path, new_path: target }),
    ]);
    const shown = await run({ command: "view", path: target });
    expect(shown.includes("first")).toBe(written.status === "fulfilled");
    expect(await refused({ command: "view", path })).toBe(missing);
  });

  test("has no file of a user who was erased, and begins anew", async () => {
    const owner = newOwner();
    const { run, refused } = memory(owner);
    await run({ command: "create", path, file_text: "Oslo" });
    await administrator().maintenance.erase({ scope: owner });
    expect(await refused({ command: "view", path })).toBe(missing);
    await run({ command: "create", path, file_text: "Bergen" });
    expect(await run({ command: "view", path })).toMatch(/1\tBergen$/);
  });

  test("finds no file of another owner", async () => {
    const { run } = memory();
    await run({ command: "create", path, file_text: "Oslo" });
    expect(await memory().refused({ command: "view", path })).toBe(missing);
  });

  test("keeps its files when all else of blocks is listed, and is no block of a context", async () => {
    const owner = newOwner();
    const { run } = memory(owner);
    await run({ command: "create", path, file_text: "Oslo" });
    expect(await administrator().blocks.list({ owner })).toEqual([]);
    expect(JSON.stringify(await administrator().assemble({ query: "Oslo", blockOwners: [owner] }))).not.toContain(
      "Oslo on",
    );
  });
});

describe("what is not allowed", () => {
  test.each([
    ["/memories/../x", "Path /memories/../x would escape /memories directory"],
    ["/memories/a/../b", "has .."],
    ["/memories/..", "would escape"],
    ["/memories/%2e%2e/x", "no %"],
    ["/memories/a\0b", "no control characters"],
    ["/memories/a\nb", "no control characters"],
    ["/memories/a ", "no space at its end"],
    ["/memories/\ud800", "is not allowed"],
    [`/memories/${"ä".repeat(256)}`, "longer than 512 bytes"],
    ["memories/a", "Path must start with /memories, got: memories/a"],
    ["", "Path must start with /memories, got: "],
  ])("the path %j", async (given, message) => {
    const { refused } = memoryOf(newOwner(), { loci: administrator(), policy: "auto" });
    for (const command of [
      { command: "view", path: given },
      { command: "create", path: given, file_text: "" },
      { command: "delete", path: given },
      { command: "rename", old_path: given, new_path: "/memories/x" },
      { command: "rename", old_path: "/memories/x", new_path: given },
    ] as const)
      expect(await refused(command)).toContain(message);
  });

  test.each([
    [null, "Unknown command"],
    [{ command: "__proto__", path }, "Unknown command"],
    [{ command: "run", path }, "view, create, str_replace, insert, delete, rename"],
    [{ command: "view" }, "The command view needs path as a string"],
    [{ command: "insert", path, insert_line: "1", insert_text: "" }, "needs insert_line as a number"],
    [{ command: "create", path, file_text: { text: "" } }, "needs file_text as a string"],
    [{ command: "view", path, view_range: ["1", 2] }, "view_range is two line numbers"],
  ])("the command %j", async (command, message) => {
    const { refused } = memoryOf(newOwner());
    expect(await refused(command as unknown as MemoryCommand)).toContain(message);
  });

  test("a file of more than 64 KiB, also as an edit makes it", async () => {
    const { run, refused } = memoryOf(newOwner(), { loci: administrator(), policy: "auto" });
    const longest = "ab\n".repeat(21_800);
    expect(await refused({ command: "create", path, file_text: `${longest}${"x".repeat(200)}` })).toContain("65536");
    await run({ command: "create", path, file_text: longest });
    const insert = { command: "insert", path, insert_line: 0, insert_text: "x".repeat(200) } as const;
    expect(await refused(insert)).toContain("65536");
    expect(await run({ command: "view", path, view_range: [1, 1] })).toMatch(/1\tab$/);
  });

  test("files of nobody", async () => {
    for (const owner of [() => undefined, "user:undefined", async () => "user:null"] as MemoryToolOptions["owner"][])
      await expect(
        new MemoryTool({ loci: administrator(), owner }).run({ command: "view", path }),
      ).rejects.toMatchObject({ reason: "SCOPE_REQUIRED" });
    await expect(
      new MemoryTool({ loci: administrator(), owner: "session:x" }).run({ command: "view", path }),
    ).rejects.toMatchObject({ reason: "INVALID_SCOPE" });
  });

  test("a Loci that is gone is told, a command that was stopped is not done", async () => {
    const gone = () =>
      Promise.reject(new LociError("SERVER_UNAVAILABLE", { message: "No server answers.", advice: "Try later." }));
    const loci = { blocks: { get: gone, list: gone } } as unknown as Loci;
    const { refused } = memoryOf(newOwner(), { loci });
    expect(await refused({ command: "view", path })).toBe("No server answers. Try later.");
    expect(await refused({ command: "create", path, file_text: "" })).toBe("No server answers. Try later.");
    const owner = newOwner();
    const stopped = new MemoryTool({ loci: administrator(), owner, policy: "auto", signal: AbortSignal.abort() });
    await expect(stopped.run({ command: "create", path, file_text: "" })).rejects.toMatchObject({
      reason: "CANCELLED",
    });
    expect(await administrator().blocks.list({ owner, schema: "memory_file" })).toEqual([]);
  });
});
