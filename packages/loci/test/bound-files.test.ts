import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LayeredFilesReader, type LocalLoci, openLoci } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";

const owner = "agent:coach" as const;
const label = "core_memory";
const cap = "<!-- BUDGET: 5 lines -->\n";
let directory: string;
let file: string;
let loci: LocalLoci;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-bound-"));
  file = join(directory, "CORE_MEMORY.md");
  writeFileSync(file, `${cap}# About me\n- I coach swimmers.\n`);
  loci = await open();
});
afterEach(async () => {
  await loci.close();
  rmSync(directory, { recursive: true });
});

function open(): Promise<LocalLoci> {
  return openLoci({ tenant: "local", dataDirectory: join(directory, "data"), index: "memory" });
}

const bind = () => loci.bindFile({ owner, file });
const read = (): string => readFileSync(file, "utf8");

/** The core memory of a context, and what it warns of. */
async function context(): Promise<{ readonly core: string; readonly warnings: readonly string[] }> {
  const layout = "threeTier";
  const { sections, warnings } = await loci.assemble({ layout, blockOwners: [owner], query: "What now?" });
  const core = sections.find(({ content }) => content.includes("# About me"))?.content ?? "";
  const ours = warnings.filter(({ reason }) => reason === "CORE_MEMORY_INVALID");
  return { core, warnings: ours.map(({ message }) => message) };
}

async function versions(): Promise<readonly string[]> {
  const { versions: found } = await loci.blocks.history({ owner, label });
  return found.map(({ version, author }) => `${version} by ${author}`);
}

test("a file that is bound is the document, and each change of it a version by `file`", async () => {
  expect((await bind()).problem).toBeUndefined();
  expect((await context()).core).toContain("- I coach swimmers.");
  expect(await versions()).toEqual(["1 by file"]);
  await appendFile(file, "- I get up at five.\n");
  expect((await context()).core).toContain("- I get up at five.");
  expect((await context()).warnings).toEqual([]);
  expect(await versions()).toEqual(["2 by file", "1 by file"]);
  const { versions: found } = await loci.blocks.history({ owner, label });
  expect(found[0]?.message).toContain("CORE_MEMORY.md");
});

test("a file whose binding was given up is not bound", async () => {
  const caller = new AbortController();
  const binding = loci.bindFile({ owner, file }, { signal: caller.signal });
  caller.abort();
  await expect(binding).rejects.toMatchObject({ reason: "CANCELLED" });
  expect((await context()).core).toBe("");
  expect((await bind()).problem).toBeUndefined();
  expect((await context()).core).toContain("- I coach swimmers.");
});

test("what is not a core memory changes nothing, and contexts say so until it is mended", async () => {
  await bind();
  const good = read();
  const bad: readonly [string | Uint8Array, string][] = [
    [`${cap}# About me\n${"- One more.\n".repeat(9)}`, "more than its 5 lines"],
    ["<!-- BUDGET: a lot -->\n# About me\n", "names no limits"],
    [Buffer.from([0x23, 0xff, 0xfe]), "is not a text in UTF-8"],
    [" \n", "is empty"],
    ["x".repeat(1_048_577), "has more than 1048576 bytes"],
  ];
  for (const [content, problem] of bad) {
    await writeFile(file, content);
    const { core, warnings } = await context();
    expect(core).toContain("- I coach swimmers.");
    expect(warnings).toEqual([expect.stringContaining(problem)]);
    // It is looked at once, and told again.
    expect((await context()).warnings).toEqual(warnings);
  }
  unlinkSync(file);
  expect((await context()).warnings).toEqual([expect.stringContaining("is not there")]);
  await writeFile(file, good);
  expect(await context()).toMatchObject({ warnings: [] });
  expect(await versions()).toEqual(["1 by file"]);
  const { etag } = await loci.blocks.get({ owner, label });
  await loci.blocks.update({ owner, label }, { policy: "read_only" }, { etag });
  await writeFile(file, `${good}- I swim.\n`);
  expect((await context()).warnings).toEqual([expect.stringContaining("read only")]);
});

test.skipIf(process.platform === "win32")("a pipe that nobody writes, or a folder, holds nobody up", async () => {
  await bind();
  unlinkSync(file);
  execFileSync("mkfifo", [file]);
  expect(await context()).toMatchObject({ warnings: [expect.stringContaining("is no file")] });
  unlinkSync(file);
  mkdirSync(file);
  expect(await context()).toMatchObject({ warnings: [expect.stringContaining("is no file")] });
  rmSync(file, { recursive: true });
  // An agent's folder is read the same way.
  execFileSync("mkfifo", [join(directory, "IDENTITY.md")]);
  await expect(new LayeredFilesReader().read({ directory, now: 0 })).rejects.toMatchObject({
    reason: "INVALID_REQUEST",
  });
});

test("a document that was changed otherwise is written into its file, as a whole", async () => {
  const link = join(directory, "link.md");
  symlinkSync(file, link);
  await loci.bindFile({ owner, file: link });
  const { id } = await loci.memories.remember({ text: "I get up at five.", scope: owner });
  await loci.blocks.promote({ owner, label, memory: id, heading: "About me" });
  await context();
  expect(read()).toBe(`${cap}# About me\n- I coach swimmers.\n- I get up at five.\n`);
  expect(statSync(file).isFile()).toBe(true);
  expect(await versions()).toEqual(["2 by local", "1 by file"]);
  // Nothing goes back and forth.
  await context();
  expect(await versions()).toHaveLength(2);
});

test("after a restart the newer of the two counts, and nothing of either is lost", async () => {
  await bind();
  await loci.close();
  loci = await open();
  const { id } = await loci.memories.remember({ text: "I get up at five.", scope: owner });
  await loci.blocks.promote({ owner, label, memory: id, heading: "About me" });
  // The file says what the document said before.
  await bind();
  expect(read()).toContain("- I get up at five.");
  await loci.close();
  writeFileSync(file, `${cap}# About me\n- I row.\n`);
  loci = await open();
  await loci.blocks.update(
    { owner, label },
    { values: { text: `${cap}# About me\n- I ski.` } },
    { etag: (await loci.blocks.get({ owner, label })).etag },
  );
  // The file says what the document never said: it is the newest version, and the others stay in the history.
  await bind();
  expect(read()).toContain("- I row.");
  expect(await versions()).toEqual(["4 by file", "3 by local", "2 by local", "1 by file"]);
});

test("a file that is saved bit by bit is taken once it stays as it is", async () => {
  await bind();
  const lines = ["# About me\n", "- I coach swimmers.\n", "- I row.\n", "- I ski.\n"];
  const saving = (async () => {
    await writeFile(file, cap);
    for (const line of lines) {
      await setTimeout(10);
      await appendFile(file, line);
    }
  })();
  await setTimeout(5);
  const { core } = await context();
  await saving;
  expect(core).toContain("- I ski.");
  expect(await versions()).toEqual(["2 by file", "1 by file"]);
});

test("what people take back in their file is taken back", async () => {
  await bind();
  const first = read();
  await appendFile(file, "- I row.\n");
  await context();
  writeFileSync(file, first);
  expect((await context()).core).not.toContain("- I row.");
  expect(read()).toBe(first);
  expect(await versions()).toEqual(["3 by file", "2 by file", "1 by file"]);
});

test("many contexts at once make one version of one change", async () => {
  await bind();
  await appendFile(file, "- I row.\n");
  const found = await Promise.all(Array.from({ length: 20 }, context));
  for (const { core } of found) expect(core).toContain("- I row.");
  expect(await versions()).toEqual(["2 by file", "1 by file"]);
});

test("a document that was deleted stays deleted until its file changes, and one that is unbound goes its own way", async () => {
  const { unbind } = await bind();
  await loci.blocks.delete({ owner, label });
  expect(await context()).toEqual({ core: "", warnings: [expect.stringContaining("was deleted")] });
  await appendFile(file, "- I row.\n");
  expect((await context()).core).toContain("- I row.");
  unbind();
  await appendFile(file, "- I ski.\n");
  expect((await context()).core).not.toContain("- I ski.");
});

test("what cannot be bound is refused, and what is no document is told", async () => {
  for (const input of [
    { owner: "global", file },
    { owner, file, label: "Not a label" },
    { owner, file, other: true },
  ] as const)
    await expect(loci.bindFile(input)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(loci.bindFile({ owner, file }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    reason: "CANCELLED",
  });
  await loci.blocks.create({ owner, label: "persona", preset: "assistant" });
  const { problem } = await loci.bindFile({ owner, file, label: "persona" });
  expect(problem).toMatchObject({ reason: "INVALID_BLOCK" });
});
