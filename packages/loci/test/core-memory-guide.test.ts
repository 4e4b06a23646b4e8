// What `docs/guides/core-memory.md` shows, run.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { expect, test, vi } from "vitest";
import { answer, begin, bind, learn, whatIsTooMuch } from "../../../docs/examples/core-memory.ts";

test("a core memory is begun, learns, stays short, and is kept as a file", async () => {
  const directory = mkdtempSync(join(tmpdir(), "loci-core-memory-guide-"));
  await using loci = await openLoci({ tenant: "acme", dataDirectory: join(directory, "data"), index: "memory" });
  await begin(loci);
  expect(await answer(loci, "What about Monday?")).toContain("## About me\n- I coach swimmers.");
  await learn(loci);
  const text = await answer(loci, "Whom do you coach, swimmers?");
  expect(text).toContain("## Critical rules\n- Never plan two hard days in a row.");
  expect(text.indexOf("I coach swimmers.")).toBeGreaterThan(text.indexOf("## Critical rules"));
  const rules = Array.from({ length: 60 }, (_, number) => `- Rule ${number}.`);
  const long = ["<!-- BUDGET: 40 lines, 800 tokens -->", "## Critical rules", ...rules].join("\n");
  expect(await whatIsTooMuch(loci, long)).toEqual([]);
  expect((await loci.blocks.get({ owner: "agent:coach", label: "core_memory" })).version).toBe(3);

  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const file = join(directory, "CORE_MEMORY.md");
  await bind(loci, file);
  expect(warn.mock.calls).toEqual([[expect.stringContaining("is not there")]]);
  warn.mockRestore();
  const { text: current } = await loci.blocks.get({ owner: "agent:coach", label: "core_memory" });
  appendFileSync(file, `${current}\n- Sleep eight hours.\n`);
  expect(await answer(loci, "What about Monday?")).toContain("- Sleep eight hours.");
  await loci.close();
  rmSync(directory, { recursive: true });
});

test("the guide shows what is run here", () => {
  const root = join(import.meta.dirname, "../../..");
  const guide = readFileSync(join(root, "docs/guides/core-memory.md"), "utf8");
  const example = readFileSync(join(root, "docs/examples/core-memory.ts"), "utf8");
  const blocks = Array.from(guide.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code ?? "");
  expect(blocks).toHaveLength(5);
  for (const code of blocks) expect(example).toContain(code);
});
