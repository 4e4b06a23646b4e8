import { Agent, Runner } from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { formatScope } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { lociTools } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";

const opened = openedLoci();

interface Chat {
  readonly user?: string;
}

async function resultsOf(context: Chat, ...calls: readonly (readonly [name: string, input: object | string])[]) {
  const tools = lociTools<Chat>({
    loci: opened.loci,
    conversation: ({ user }) => (user === undefined ? undefined : { scope: `user:${user}` }),
  });
  const model = new ScriptedModel([
    calls.map(([name, input], index) =>
      functionCall(name, input as Record<string, unknown>, { callId: `call_${index}` }),
    ),
    [assistantMessage("Done.")],
  ]);
  const runner = new Runner({ tracingDisabled: true });
  await runner.run(new Agent<Chat>({ name: "Helper", model, tools }), "Do it.", { context });
  const input = model.lastCall?.request.input ?? [];
  return (typeof input === "string" ? [] : input).flatMap((item) =>
    item.type === "function_call_result" && typeof item.output === "object" && "text" in item.output
      ? [item.output.text]
      : [],
  );
}

describe("the tools of a model", () => {
  test("remember for whoever speaks, and nobody whom the model names", async () => {
    const text = "Ann is allergic to nuts.";
    expect(await resultsOf({ user: "ann" }, ["remember", { text, scope: "user:bob", user: "bob" }])).toEqual([
      "Remembered.",
    ]);
    const { memories } = await opened.loci.memories.list({ scopes: ["user:ann", "user:bob"] });
    expect(memories.map(({ text, scope, trust }) => [text, scope, trust])).toEqual([
      [text, { kind: "user", id: "ann" }, "untrusted"],
    ]);
  });

  test("recall what is theirs", async () => {
    const [found] = await resultsOf({ user: "ann" }, ["recall", { query: "What is Ann allergic to?" }]);
    expect(found).toContain("allergic to nuts");
    expect(await resultsOf({ user: "bob" }, ["recall", { query: "What is Ann allergic to?" }])).toEqual([
      "Nothing relevant is known.",
    ]);
  });

  test("remember two things of one model whose calls are numbered anew in each run", async () => {
    await resultsOf({ user: "carl" }, ["remember", { text: "Carl has a dog." }]);
    expect(await resultsOf({ user: "carl" }, ["remember", { text: "Carl has a cat." }])).toEqual(["Remembered."]);
    expect((await opened.loci.memories.list({ scopes: ["user:carl"] })).memories).toHaveLength(2);
  });

  test("say what is wrong with what a model asks, so that it can go on", async () => {
    const results = await resultsOf(
      { user: "ann" },
      ["recall", {}],
      ["remember", { text: 3 }],
      ["edit_block", { label: "human", operations: [], reason: "x" }],
    );
    expect(results).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^Error: /) as string));
  });

  test("do nothing where nobody says who speaks", async () => {
    const [result] = await resultsOf({}, ["remember", { text: "Somebody was here." }]);
    expect(result).toContain("error");
    const { scopes } = await opened.loci.memories.scopes();
    const kept = scopes.map(({ scope }) => formatScope(scope));
    expect(kept).not.toContain("global");
    expect(kept).not.toContain("user:undefined");
  });
});
