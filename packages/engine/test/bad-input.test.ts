import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssembleRequest, globalScope, type SectionDefinition } from "@loci/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const system: SectionDefinition = { name: "system", source: "system", shortening: "never" };
const facts: SectionDefinition = { name: "facts", source: "knowledge", shortening: "items" };
const call = { id: "c1", type: "function", function: { name: "search", arguments: "{}" } };

/** A request whose fields may be anything, as from a program without types. */
function request(fields: Readonly<Record<string, unknown>>): AssembleRequest {
  return { query: "When do we deploy?", recall: { scopes: [globalScope] }, ...fields };
}

function layout(sections: readonly unknown[], fields: object = {}): Readonly<Record<string, unknown>> {
  return { layout: { name: "mine", sections, ...fields } };
}

describe("an assembly that cannot be", () => {
  let opened: TestEngine;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "loci-bad-input-"));
    const broken = join(folder, "broken.json");
    await writeFile(broken, "{");
    const model = { contextWindowTokens: 32_768 };
    opened = await TestEngine.open({
      models: [
        { ...model, name: "missing-tokenizer", tokenizerFile: join(folder, "nothing.json") },
        { ...model, name: "broken-tokenizer", tokenizerFile: broken },
      ],
    });
    await opened.loci.memories.remember({ text: "We deploy on Tuesdays.", category: "fact", scope: globalScope });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test.each<[what: string, fields: Readonly<Record<string, unknown>>, error: object]>([
    ["two sections of one name", layout([system, { ...facts, name: "system" }]), { reason: "INVALID_LAYOUT" }],
    ["two sections of one source", layout([system, { ...system, name: "other" }]), { reason: "INVALID_LAYOUT" }],
    ["no section", layout([]), { reason: "INVALID_LAYOUT", field: "layout.sections" }],
    ["a negative base", layout([system, { ...facts, base: -1 }]), { field: "layout.sections[1].base" }],
    ["a negative total", layout([system, facts], { totalTokens: -5 }), { field: "layout.totalTokens" }],
    ["a negative budget", { window: { sections: { history: -1 } } }, { reason: "INVALID_BUDGET" }],
    ["a window of nothing", { window: { scaleTo: 0 } }, { reason: "SECTION_OVER_BUDGET", resource: "system" }],
    ["a section nobody knows", { window: { sections: { nothing: 5 } } }, { reason: "INVALID_BUDGET" }],
    ["no messages but a text", { messages: "hello" }, { reason: "INVALID_MESSAGES", field: "messages" }],
    ["an unknown role", { messages: [{ role: "robot", content: "a" }] }, { field: "messages[0].role" }],
    ["content that is no text", { messages: [{ role: "user", content: 7 }] }, { field: "messages[0].content" }],
    [
      "a result without a call",
      { messages: [{ role: "tool", tool_call_id: "c1", content: "x" }] },
      { reason: "INVALID_MESSAGES", field: "messages[0].tool_call_id" },
    ],
    [
      "a result behind another message",
      {
        messages: [
          { role: "assistant", tool_calls: [call] },
          { role: "user", content: "wait" },
          { role: "tool", tool_call_id: "c1", content: "late" },
        ],
      },
      { field: "messages[2].tool_call_id" },
    ],
    ["no tokenizer file", { model: "missing-tokenizer" }, { reason: "FILE_NOT_FOUND" }],
    ["a broken tokenizer file", { model: "broken-tokenizer" }, { reason: "MODEL_FILE_INVALID" }],
  ])("is refused for %s", async (_, fields, error) => {
    await expect(opened.loci.assemble(request(fields))).rejects.toMatchObject(error);
  });

  test("half a surrogate pair is shown as what it is, and takes nothing with it", async () => {
    const messages = [{ role: "user", content: "a\uD800b" }] as const;
    const { text } = await opened.loci.assemble(request({ messages, system: "x\uDC00y" }));
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain("a\uFFFDb");
  });

  test("has used nothing", async () => {
    // The assembly of the test above has.
    await opened.loci.settled();
    const [memory] = (await opened.loci.memories.list({ scopes: [globalScope] })).memories;
    expect(memory?.usage.accessCount).toBe(1);
  });

  test.each([
    ["estimatedOutputTokens", -1],
    ["maxInputTokens", -1],
    ["safetyMarginRatio", -0.1],
  ])("the guard refuses %s of %d", async (field, value) => {
    const messages = [{ role: "user", content: "Hello." }] as const;
    await expect(opened.loci.budget.enforce({ messages, [field]: value })).rejects.toMatchObject({
      reason: "INVALID_BUDGET",
      field,
    });
  });
});

test("an update that names no version is told what to pass", async () => {
  await using opened = await TestEngine.open();
  const { id } = await opened.loci.memories.remember({ text: "We deploy on Tuesdays.", scope: globalScope });
  await expect(opened.loci.memories.update(id, { importance: 1 }, undefined as never)).rejects.toMatchObject({
    reason: "INVALID_REQUEST",
    field: "precondition",
    message: `Nothing says which version of the memory ${id} is meant.`,
    advice: expect.stringContaining("{ etag: memory.etag }") as string,
  });
});
