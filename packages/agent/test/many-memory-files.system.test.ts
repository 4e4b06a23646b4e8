// As many files as an owner may have: what a directory of them takes, and what becomes of the next one.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { expect, test } from "vitest";
import { MemoryTool } from "../src/index.ts";

test("1,000 files, and room for the next one when one was deleted", { timeout: 300_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "loci-many-files-"));
  const loci = await openLoci({ tenant: "acme", dataDirectory: directory });
  const tool = new MemoryTool({ loci, owner: "user:ann", policy: "auto" });
  // Made by themselves: each command of the tool looks at all of them.
  for (let at = 0; at < 40; at++)
    await tool.run({ command: "create", path: `/memories/d${at}/first.md`, file_text: "" });
  await tool.run({ command: "create", path: "/memories/other.md", file_text: "" });
  const [some] = await loci.blocks.list({ owner: "user:ann", schema: "memory_file" });
  for (let at = 41; at < 1_000; at++)
    await loci.blocks.create({
      owner: "user:ann",
      label: `memory_file_${at.toString(16).padStart(32, "0")}`,
      schema: "memory_file",
      policy: "auto",
      values: { text: "What a model wrote once. ".repeat(40) },
    });
  const next = { command: "create", path: "/memories/next.md", file_text: "next" } as const;
  await expect(tool.run(next)).rejects.toThrow("The owner has 1000 files, which is as many as there may be.");
  await tool.run({ command: "delete", path: String(some?.values["path"]) });
  expect(await tool.run(next)).toBe("File created successfully at: /memories/next.md");
  expect((await tool.run({ command: "view", path: "/memories" })).split("\n").length).toBeGreaterThan(70);
  await loci.close();
  await rm(directory, { recursive: true });
});
