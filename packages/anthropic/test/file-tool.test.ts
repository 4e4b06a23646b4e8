// Every answer is that of the SDK's own tool on a directory, byte for byte.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import type { MemoryCommand } from "@loci/agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type LociMemory, lociMemory } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";

const at = openedLoci();
const runs = Number(process.env["LOCI_MEMORY_TOOL_RUNS"] ?? 60);

const name = fc.constantFrom("a", "b", "c.md", ".d", "node_modules", "é", "👍 x");
const path = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `/memories/${parts.join("/")}`),
  },
  { weight: 1, arbitrary: fc.constantFrom("/memories", "/memories/", "/memories//a/./b/", "/memoriesa", "/etc/a", "") },
);
const line = fc.constantFrom(
  "",
  "one",
  "two",
  "one two",
  "  ",
  "\ttab",
  "$& $1 \\n \"q\" '''",
  "\r",
  "\u0000",
  "\u2028x",
  "\ufeff",
  "ü👍",
  "\ud800",
);
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
const command: fc.Arbitrary<MemoryCommand> = fc.oneof(
  fc.record({
    command: fc.constant("view" as const),
    path,
    view_range: fc.option(fc.tuple(fc.integer({ min: -3, max: 6 }), fc.integer({ min: -3, max: 6 })), {
      nil: undefined,
    }),
  }),
  { weight: 3, arbitrary: fc.record({ command: fc.constant("create" as const), path, file_text: text }) },
  fc.record({ command: fc.constant("str_replace" as const), path, old_str: line, new_str: text }),
  fc.record({
    command: fc.constant("insert" as const),
    path,
    insert_line: fc.integer({ min: -1, max: 6 }),
    insert_text: text,
  }),
  fc.record({ command: fc.constant("delete" as const), path }),
  fc.record({ command: fc.constant("rename" as const), old_path: path, new_path: path }),
);

type Tool = LociMemory | BetaLocalFilesystemMemoryTool;

async function answerOf(tool: Tool, asked: MemoryCommand): Promise<string> {
  const run = (tool as LociMemory)[asked.command].bind(tool);
  return run(asked).catch((error: Error) => `Error: ${error.message}`);
}

const listing = "Here're the files and directories";

/** What a directory takes is its file system's, 4K on most and 40B in memory. */
function withUsualSizes(answer: string): string {
  if (!answer.startsWith(listing)) return answer;
  return answer
    .split("\n")
    .map((each, index) => (index === 1 || each.endsWith("/") ? each.replace(/^[^\t]+(?=\t)/, "4K") : each))
    .join("\n");
}

test(`${runs} sequences of commands are answered as on a directory`, { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "loci-memory-"));
  let sequence = 0;
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 16 }), async (commands) => {
      const base = join(folder, String(sequence++));
      const files = await BetaLocalFilesystemMemoryTool.init(base);
      const blocks = lociMemory({ loci: at.loci, owner: `user:${randomUUID()}`, policy: "auto" });
      const looks: MemoryCommand[] = ["/memories", "/memories/a", "/memories/a/b"].map((of) => ({
        command: "view",
        path: of,
      }));
      for (const asked of [...commands, ...looks]) {
        const answer = withUsualSizes((await answerOf(files, asked)).replaceAll(base, ""));
        expect({ asked, answer: await answerOf(blocks, asked) }).toEqual({ asked, answer });
        answers++;
      }
    }),
    { numRuns: runs },
  );
  await rm(folder, { recursive: true });
  expect(answers).toBeGreaterThan(runs);
});
