import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Loci } from "@loci/domain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { frameworkBlocks, openLoci, runEditMemoryBlock, runMemoryCommand } from "../src/index.ts";

const owner = "user:alice";
let folder: string;
let loci: Loci;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-tools-"));
  loci = await openLoci({ tenant: "acme", dataDirectory: folder, index: "memory" });
  await loci.blocks.create({ owner, label: "human", values: { name: "Alice", facts: ["flies"] } });
});
afterAll(async () => {
  await loci.close();
  rmSync(folder, { recursive: true });
});

test("a model proposes by the tool, and is told what is wrong", async () => {
  const operations = [{ op: "append", field: "facts", value: "sings" }];
  const input = { label: "human", operations, reason: "She sang" };
  expect(await runEditMemoryBlock(loci, owner, input)).toContain("A person decides");
  expect(await runEditMemoryBlock(loci, owner, { ...input, label: "none" })).toMatch(
    /^Error: .* Name a block that stands in your context\. A new one is made by a person/u,
  );
  expect(await runEditMemoryBlock(loci, owner, undefined)).toMatch(/^Error: /u);
  expect((await loci.blocks.get({ owner, label: "human" })).version).toBe(1);
});

test("the memory tool sees blocks as files, and each of its writes is an edit", async () => {
  const path = "/memories/human.md";
  expect(await runMemoryCommand(loci, owner, { command: "view", path: "/memories" })).toContain(path);
  const shown = await runMemoryCommand(loci, owner, { command: "view", path, view_range: [4, 5] });
  expect(shown).toBe("     4\t## Name\n     5\tAlice");
  const replaced = { command: "str_replace", path, old_str: "Alice", new_str: "Bea" };
  expect(await runMemoryCommand(loci, owner, replaced)).toContain("Proposed as");
  const inserted = { command: "insert", path, insert_line: 7, insert_text: "- dances\n" };
  expect(await runMemoryCommand(loci, owner, inserted)).toContain("Proposed as");
  const { edits } = await loci.blocks.listEdits({ owner });
  expect(edits.slice(-2).map((edit) => edit.operations)).toEqual([
    [{ op: "set", field: "name", value: "Bea" }],
    [{ op: "set", field: "facts", value: ["flies", "dances"] }],
  ]);
  for (const refused of [
    { command: "delete", path },
    { command: "view", path: "/memories/../secret.md" },
    { command: "str_replace", path, old_str: "nowhere", new_str: "x" },
    { command: "create", path, file_text: "no front matter" },
  ])
    expect(await runMemoryCommand(loci, owner, refused)).toMatch(/^Error: /u);
});

test("agents' frameworks get the blocks of an owner in their form", async () => {
  const other = "agent:coach";
  await loci.blocks.create({ owner: other, label: "persona", preset: "assistant", policy: "read_only" });
  await loci.blocks.create({ owner: other, label: "core_memory", values: { text: "# About me\n- I coach." } });
  const [core, persona, ...others] = await frameworkBlocks(loci, other, { limit: 900 });
  expect(others).toEqual([]);
  expect(core).toMatchObject({
    label: "core_memory",
    value: "# About me\n- I coach.",
    limit: 65_536,
    read_only: false,
  });
  expect(persona).toEqual({
    label: "persona",
    value: (await loci.blocks.get({ owner: other, label: "persona" })).text,
    description: expect.stringContaining("Who the agent is"),
    limit: 900,
    read_only: true,
  });
});
