import { type Loci, type ScopeText } from "@loci/loci";
import { expect, test } from "vitest";
import { warningForModel } from "../src/tools/warning-advice.ts";
import { call, textOf } from "./call-tool.ts";
import { connectClient } from "./connect-client.ts";
import { openForTheFile } from "./opened-loci.ts";

let loci: Loci;
openForTheFile((opened) => {
  loci = opened;
});

/** Options of programs, which no tool has. */
const foreignWords = /recall\.[a-z]|window\.|history\.|option models|--fallback|captures\.|layout|baseVersion|sourceId/;

test("warnings of a context advise what the tool can do", async () => {
  const client = await connectClient(loci, ["user:hal", "project:hal"]);
  for (const owner of ["user:hal", "project:hal"] as const) {
    await loci.blocks.create({ owner, label: "human", values: { name: "Hal" } });
    await loci.blocks.create({ owner, label: "core_memory" });
  }
  const text = "The tide table of the harbour hangs at pier";
  for (let pier = 1; pier <= 60; pier++)
    await loci.memories.remember({ text: `${text} ${pier}.`, scope: "user:hal", category: `pier_${pier}` });
  const messages = Array.from({ length: 40 }, () => ({ role: "user", content: `${text} nine. `.repeat(20) }));
  const reasons = new Set<string>();
  for (const input of [
    { query: "zebra umbrella", model: "gpt-9-nano" },
    { query: "Where does the tide table hang?", maxTokens: 8_000, messages, system: "Be brief. ".repeat(125) },
    { query: "Where does the tide table hang?", model: "claude-sonnet-4-5", messages: messages.slice(0, 1) },
  ]) {
    const assembled = await call(client, "assemble_context", input);
    expect(textOf(assembled)).not.toMatch(/^[A-Z_]+: /);
    const { warnings } = assembled.structuredContent as { warnings: { reason: string; advice: string }[] };
    for (const { reason, advice } of warnings) {
      reasons.add(reason);
      expect(advice).not.toMatch(foreignWords);
      expect(assembled.content[1]).toMatchObject({ text: expect.stringContaining(advice) });
    }
  }
  expect([...reasons]).toEqual(
    expect.arrayContaining([
      "UNKNOWN_MODEL",
      "EMPTY_KNOWLEDGE",
      "SYSTEM_NEAR_BUDGET",
      "ITEMS_DROPPED",
      "ESTIMATED_TOKENS",
    ]),
  );
});

test("what fits into maxTokens is not refused, however little there is", async () => {
  const client = await connectClient(loci, ["user:lou"]);
  await loci.memories.remember({ text: "Lou ties the boat to pier 4.", scope: "user:lou" });
  for (const [words, maxTokens] of [
    [40, 1_000],
    [500, 4_000],
    [1_500, 16_000],
  ] as const) {
    const input = { query: "Where does Lou tie the boat?", system: "brief ".repeat(words), maxTokens };
    const assembled = await call(client, "assemble_context", input);
    expect(textOf(assembled)).toMatch(/^<system>\nbrief .*Lou ties the boat to pier 4\./s);
    const { totalTokens } = assembled.structuredContent as { totalTokens: number };
    expect(totalTokens).toBeLessThan(maxTokens);
  }
});

test("a larger window holds more memories", async () => {
  const client = await connectClient(loci, ["user:gus"]);
  for (let boat = 1; boat <= 120; boat++)
    await loci.memories.remember({
      text: `Boat ${boat} lies at pier ${boat}, and ${"its hull is painted in one of many colours ".repeat(12)}`,
      scope: "user:gus",
      category: `boat_${boat}`,
    });
  const assembled = async (maxTokens: number): Promise<number> => {
    const { structuredContent } = await call(client, "assemble_context", {
      query: "Which boat lies where?",
      maxTokens,
    });
    return (structuredContent as { totalTokens: number }).totalTokens;
  };
  expect(await assembled(30_000)).toBeGreaterThan(1.5 * (await assembled(10_000)));
});

test("a name that was nearly meant stays in the advice", () => {
  const warning = { reason: "UNKNOWN_MODEL", message: "Nothing is known of it.", advice: "Did you mean gpt-5? Or so." };
  expect(warningForModel(warning as never).advice).toBe(
    "Did you mean gpt-5? Name a known model, or pass as maxTokens what it takes.",
  );
  const degraded = { reason: "RECALL_DEGRADED", message: "So.", advice: "Try again later." } as const;
  expect(warningForModel(degraded)).toEqual(degraded);
});

test("a source that is none is refused by the name that the tool has for it", async () => {
  const client = await connectClient(loci, ["user:ivo"]);
  const stored = await call(client, "remember", { text: "Ivo sails." });
  const { id: corrects } = stored.structuredContent as { id: string };
  for (const source of ["s".repeat(300), "a page\n"])
    for (const input of [
      { text: "Ivo rows.", source },
      { text: "Ivo rows.", source, corrects },
    ]) {
      const refused = textOf(await call(client, "remember", input));
      expect(refused).toMatch(/^INVALID_IDENTIFIER: source /);
      expect(refused).not.toMatch(foreignWords);
    }
});

test("what was remembered already says so", async () => {
  const client = await connectClient(loci, ["user:jan"]);
  const remember = async (category: string): Promise<string | undefined> => {
    const { structuredContent } = await call(client, "remember", { text: "Jan bakes on Mondays.", category });
    return (structuredContent as { note?: string }).note;
  };
  expect(await remember("fact")).toBeUndefined();
  expect(await remember("fact")).toBe("This was remembered already, and is not stored twice.");
  expect(await remember("procedure")).toMatch(/^It is recalled, but no context has it/);
  expect(await remember("procedure")).toMatch(/^This was remembered already.* It is recalled, but no context/);
});

test("prompts say which scopes there are, take no more than a question is worth, and say what stands in", async () => {
  const scope: ScopeText = "user:kai";
  const client = await connectClient(loci, [scope]);
  const prompt = async (name: string, input: Record<string, string>): Promise<string> => {
    const { messages } = await client.getPrompt({ name, arguments: input });
    const content = messages[0]?.content;
    return content?.type === "text" ? content.text : "";
  };
  await expect(prompt("what_is_known", { scope: "user:bob" })).rejects.toThrow(
    /SCOPE_NOT_PERMITTED: .* Use user:kai\./,
  );
  for (let day = 1; day <= 9; day++)
    await loci.memories.remember({ text: `On day ${day} the log of the boat says: ${"wind ".repeat(400)}`, scope });
  const asked = await prompt("with_memory", { question: "What does the log of the boat say of the wind?" });
  expect((await loci.tokens.count({ text: asked })).tokens).toBeLessThan(2_500);
  const question = "What do you know about me?";
  expect(await prompt("with_memory", { question })).toMatch(/^Nothing was found by what the question says: these are/);
});
