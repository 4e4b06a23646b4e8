import { randomUUID } from "node:crypto";
import { instructionsNotice, type RecalledBlock, withoutRecalled } from "@loci/agent";
import { ModelScript, type ShownCall, type ToldStep } from "@loci/agent/conformance";
import { type Loci, LociError, type ScopeText } from "@loci/domain";
import { Agent } from "@mastra/core/agent";
import { RequestContext } from "@mastra/core/request-context";
import { createTool } from "@mastra/core/tools";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { lociProcessor, type LociProcessorOptions, lociTools } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";
import { scriptedModel } from "./scripted-model.ts";

const at = openedLoci();
const question = "When does my flight to Oslo leave?";
const fact = "The flight to Oslo leaves on Friday at 9:40.";

/** An agent of Mastra with the memory of somebody new. */
async function newAgent(steps: readonly ToldStep[], options: Partial<LociProcessorOptions> = {}) {
  const scope: ScopeText = `user:${randomUUID()}`;
  await at.loci.memories.remember({ text: fact, scope });
  const conversation = (request: RequestContext | undefined) =>
    request === undefined ? undefined : { scope: request.get<string, ScopeText>("user"), session: "talk" };
  const stop = new AbortController();
  const script = new ModelScript(steps, stop);
  // The first recall reads a model, and machines are shared.
  const patience = { recallTimeoutMilliseconds: 60_000 };
  const processor = lociProcessor({ loci: at.loci, conversation, ...patience, ...options });
  const weather = createTool({
    id: "weather",
    description: "The weather of a city",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `Rain in ${city}.`,
  });
  const agent = new Agent({
    id: "clerk",
    name: "clerk",
    instructions: "You are kind.",
    model: scriptedModel(script),
    tools: { ...lociTools({ loci: at.loci, conversation }), weather },
    inputProcessors: [processor],
    outputProcessors: [processor],
    maxRetries: 0,
  });
  const requestContext = new RequestContext<Record<string, unknown>>([["user", scope]]);
  const ask = (text = question) => agent.generate(text, { requestContext, abortSignal: stop.signal, maxSteps: 5 });
  return { scope, processor, agent, ask, stop, shown: script.shown };
}

/** What the latest message of the user says in a call. */
function asked(call: ShownCall | undefined): string {
  return call?.messages.findLast(({ role }) => role === "user")?.text ?? "";
}

async function kept(scope: ScopeText): Promise<readonly (readonly [string, string])[]> {
  const { turns } = await at.loci.sessions.turns({ scope, id: "talk" });
  return turns.map(({ role, content }) => [role, content]);
}

describe("a question", () => {
  test("is shown what is remembered, and the answer says which memories", async () => {
    const blocks: RecalledBlock[] = [];
    const { ask, shown, scope, processor } = await newAgent([{ says: "At 9:40." }], {
      onRecalled: (block) => blocks.push(block),
    });
    const { text, response } = await ask();
    expect(text).toBe("At 9:40.");
    expect(shown[0]?.instructions).toBe(`You are kind.\n\n${instructionsNotice}`);
    expect(asked(shown[0])).toContain(fact);
    expect(withoutRecalled(asked(shown[0]))).toBe(question);
    const [block] = blocks;
    expect(block?.receipt.items.map(({ id }) => id)).toContain(block?.memories[0]);
    const metadata = response.uiMessages?.at(-1)?.metadata;
    expect(metadata).toMatchObject({ loci: { memories: block?.memories, tokens: block?.tokens } });
    expect(JSON.stringify(response)).not.toContain(fact);
    await processor.settled();
    expect(await kept(scope)).toEqual([
      ["user", question],
      ["assistant", "At 9:40."],
    ]);
  });

  test("brings the procedures for the tools that the agent has", async () => {
    const { ask, shown, scope } = await newAgent([{ says: "It rains." }]);
    const procedure = "Before you tell the weather, ask for the city.";
    await at.loci.memories.remember({ text: procedure, scope, category: "procedure", tags: ["weather"] });
    await ask("Hello.");
    expect(asked(shown[0])).toContain(procedure);
  });

  test("is kept with the tools that were called, those of memory as recalled", async () => {
    const calls = [
      { id: "call-1", tool: "remember", input: { text: "Ann flies on Friday." }, returns: "" },
      { id: "call-2", tool: "recall", input: { query: question }, returns: "" },
    ];
    const { ask, shown, scope, processor } = await newAgent([{ calls }, { says: "At 9:40." }]);
    await ask();
    await processor.settled();
    const results = shown[1]?.messages.filter(({ role }) => role === "tool").map(({ text }) => text);
    expect(results).toEqual(["Remembered.", expect.stringContaining(fact)]);
    const { turns } = await at.loci.sessions.turns({ scope, id: "talk" });
    expect(turns.map(({ role, recalled }) => [role, recalled])).toEqual([
      ["user", false],
      ["assistant", false],
      ["tool", false],
      ["tool", true],
      ["assistant", false],
    ]);
  });
});

test("where nobody says who speaks the model is not called", async () => {
  const { agent, shown } = await newAgent([{ says: "No." }]);
  const requestContext = new RequestContext<Record<string, unknown>>([["user", "user:undefined"]]);
  for (const given of [requestContext, new RequestContext<Record<string, unknown>>()])
    await expect(agent.generate(question, { requestContext: given })).rejects.toMatchObject({
      reason: "SCOPE_REQUIRED",
    });
  expect(shown).toEqual([]);
});

test("who stops while it is recalled cancels the recall, and the model is not called", async () => {
  let recall: AbortSignal | undefined;
  const assemble: Loci["assemble"] = (_request, { signal } = {}) =>
    new Promise((_resolve, reject) => {
      recall = signal;
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
      stop.abort(new LociError("CANCELLED", { message: "The user has left." }));
    });
  const { ask, stop, shown } = await newAgent([{ says: "No." }], { loci: { ...at.loci, assemble } });
  await ask().catch(() => undefined);
  expect(recall?.reason).toMatchObject({ reason: "CANCELLED" });
  expect(shown).toEqual([]);
});

test("a run that failed is not kept", async () => {
  const { ask, processor, scope } = await newAgent([{ fails: "The model is overloaded." }]);
  await expect(ask()).rejects.toThrow("The model is overloaded.");
  await processor.settled();
  await expect(kept(scope)).rejects.toMatchObject({ reason: "SESSION_NOT_FOUND" });
});
