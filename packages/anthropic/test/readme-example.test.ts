// The example of the README, run by the tool runner of the SDK, the lowest version that is taken and the newest one.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Lowest from "@anthropic-ai/sdk";
import Newest from "anthropic-newest";
import { describe, expect, test } from "vitest";
import { answer } from "../../../docs/examples/memory-tool-of-anthropic.ts";
import { openedLoci } from "./opened-loci.ts";
import { FakeModel } from "./fake-model.ts";

const at = openedLoci();

describe.each([
  ["1.12.0", Lowest],
  ["newest", Newest as unknown as typeof Lowest],
])("version %s", (_, Client) => {
  test("a model proposes a file, which it reads once a person has approved it", async () => {
    const user = randomUUID();
    const owner = `user:${user}` as const;
    const path = "/memories/flights.md";
    const file_text = "Ann prefers window seats.\n";
    const model = new FakeModel([{ command: "create", path, file_text }, "I have proposed to keep it."]);
    const client = new Client({ apiKey: "none", fetch: model.fetch });
    const question = "I prefer window seats.";
    expect(await answer(at.loci, client, { user, question })).toBe("I have proposed to keep it.");
    const [edit] = (await at.loci.blocks.listEdits({ owner })).edits;
    expect(model.results).toEqual([
      { content: `Proposed as edit ${edit?.id}: it takes effect when a person approves it.`, is_error: undefined },
    ]);
    expect(model.tools).toEqual([[{ type: "memory_20250818", name: "memory" }]]);

    const { id, preview } = { id: edit!.id, ...(await at.loci.blocks.getEdit({ id: edit!.id })) };
    await at.loci.blocks.approve({ id, baseVersion: preview!.baseVersion, contentHash: preview!.contentHash });
    const next = new FakeModel([{ command: "view", path }, { command: "view", path: "/memories/other" }, "Window."]);
    await answer(at.loci, new Client({ apiKey: "none", fetch: next.fetch }), { user, question: "Which seats?" });
    expect(next.results).toEqual([
      {
        content: `Here's the content of ${path} with line numbers:\n     1\tAnn prefers window seats.\n     2\t`,
        is_error: undefined,
      },
      {
        content: "Error: The path /memories/other does not exist. Please provide a valid path.",
        is_error: true,
      },
    ]);
  });
});

test("the README shows what is run here", async () => {
  const root = join(import.meta.dirname, "../../..");
  const readme = await readFile(join(root, "packages/anthropic/README.md"), "utf8");
  const example = await readFile(join(root, "docs/examples/memory-tool-of-anthropic.ts"), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example.slice(example.indexOf("\n") + 1)}\`\`\``);
});
