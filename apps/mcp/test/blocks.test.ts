import { type Loci } from "@loci/loci";
import { expect, test } from "vitest";
import { call, textOf } from "./call-tool.ts";
import { connectClient } from "./connect-client.ts";
import { openForTheFile } from "./opened-loci.ts";

let loci: Loci;
openForTheFile((opened) => {
  loci = opened;
});

test("a block shows every field by the name that edit_block takes, and what stands there as it stands there", async () => {
  await loci.blocks.create({ owner: "user:eve", label: "human", values: { name: "Eve", facts: ["has a cat"] } });
  await loci.blocks.create({
    owner: "user:eve",
    label: "core_memory",
    values: { text: "# Rules\n## Tests\n- Run them." },
  });
  const client = await connectClient(loci, ["user:eve"]);
  const seen = await call(client, "view_blocks", {});
  expect(textOf(seen)).toContain("core_memory of user:eve, version 1\ntext (text):\n# Rules\n## Tests\n- Run them.");
  expect(textOf(seen)).toContain("human of user:eve, version 1\nname (string): Eve\nrole (string): nothing yet\n");
  expect(textOf(seen)).toContain("sessionState (one of idle, active_task,");
  expect(textOf(seen)).toMatch(/facts \(list, at most \d+, then the oldest becomes a memory\):\n- has a cat\n/);
  const { blocks } = seen.structuredContent as { blocks: { label: string; fields: string[] }[] };
  expect(blocks.find(({ label }) => label === "human")?.fields).toContain("currentTask");

  const operations = [
    { op: "set", field: "currentTask", value: "Test the parser" },
    { op: "replace", field: "facts", old: "has a cat", value: "has two cats" },
  ];
  const proposed = await call(client, "edit_block", { label: "human", operations, reason: "She said so" });
  expect(proposed.structuredContent).toMatchObject({ state: "pending" });
});

test("what nobody may change says so", async () => {
  const block = { owner: "user:ned", label: "human" } as const;
  await loci.blocks.create({ ...block, values: { name: "Ned" }, policy: "read_only" });
  const seen = await call(await connectClient(loci, ["user:ned"]), "view_blocks", {});
  expect(textOf(seen)).toContain("human of user:ned, version 1, which nobody may change\n");
});

test("an entry is found by the words that the model was shown", async () => {
  const block = { owner: "user:fay", label: "human" } as const;
  await loci.blocks.create({
    ...block,
    values: { preferences: ["writes <b>bold</b>", "R&D &amp; rest"], currentTask: "Test <App>" },
  });
  const client = await connectClient(loci, ["user:fay"]);
  const shown = textOf(await call(client, "view_blocks", {}));
  expect(shown).toContain("- writes &lt;b>bold&lt;/b>");
  const proposes = async (...operations: readonly object[]): Promise<readonly unknown[]> => {
    await call(client, "edit_block", { label: "human", operations, reason: "She said so" });
    const { edits } = await loci.blocks.listEdits({ ...block });
    return edits.at(-1)?.operations ?? [];
  };
  const old = "writes &lt;b>bold&lt;/b>";
  const replacement = { op: "replace", field: "preferences", old, value: "writes plainly" };
  expect(await proposes(replacement)).toEqual([{ ...replacement, old: "writes <b>bold</b>" }]);
  const removal = { op: "remove", field: "preferences", value: "R&D &amp; rest" };
  expect(await proposes(removal)).toEqual([removal]);
  const task = { op: "replace", field: "currentTask", old: "&lt;App>", value: "&lt;Page>" };
  expect(await proposes(task)).toEqual([{ ...task, old: "<App>", value: "<Page>" }]);
});

test("an edit that cannot be applied says where to look, by a tool that there is", async () => {
  await loci.blocks.create({ owner: "user:gil", label: "human", values: { facts: ["has a dog"] } });
  const client = await connectClient(loci, ["user:gil"]);
  const operations = [{ op: "remove", field: "facts", value: "a dog" }];
  const refused = await call(client, "edit_block", { label: "human", operations, reason: "It died" });
  expect(textOf(refused)).toMatch(/^EDIT_CONFLICT: .*the entry is not in facts\.\nSee with view_blocks /);
});

test("every block stands in the context, the core memory whole", async () => {
  const owner = "project:quay";
  const text = "<!-- BUDGET: 80 lines, 2000 tokens -->\n## Critical rules\n- Never push to main.";
  await loci.blocks.create({ owner, label: "core_memory", values: { text } });
  await loci.blocks.schemas.create({ name: "history", fields: [{ name: "milestones", type: "list" }] });
  await loci.blocks.create({ owner, label: "history", values: { milestones: ["Opened in 1901"] } });
  await loci.blocks.create({ owner: "user:ida", label: "human", values: { name: "Ida" } });
  const client = await connectClient(loci, [owner, "user:ida"]);
  const input = { query: "What must I never do?", system: "Be brief.", project: "A quay." };
  const assembled = await call(client, "assemble_context", input);
  const { warnings } = assembled.structuredContent as { warnings: { reason: string }[] };
  expect(warnings.map(({ reason }) => reason)).toEqual(["EMPTY_KNOWLEDGE"]);
  expect(textOf(assembled)).toContain("<core_memory>\n## Critical rules\n- Never push to main.\n</core_memory>");
  expect(textOf(assembled)).toMatch(/<history_block>\n.*Opened in 1901\n<\/history_block>/s);
  expect(textOf(assembled)).toMatch(/<project>\nA quay\.\s+\[USER\] Ida\n<\/project>/);

  const small = await call(client, "assemble_context", { ...input, maxTokens: 1_000 });
  expect(textOf(small)).toContain("Never push to main.");
  const tiny = await call(client, "assemble_context", { ...input, maxTokens: 30 });
  expect(textOf(tiny)).toMatch(/^SECTION_OVER_BUDGET: .*\nPass more maxTokens, or leave it out\./);
});
