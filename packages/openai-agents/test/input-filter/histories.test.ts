import { type AgentInputItem, MemorySession } from "@openai/agents-core";
import { assistantMessage, functionCall } from "@openai/agents-core/testing";
import { describe, expect, test } from "vitest";
import { LociSession, withoutRecalledHistory } from "../../src/index.ts";
import { type Chat, chatOf, inputs, rememberingAgents } from "./remembering-agents.ts";

const agents = rememberingAgents();
const { agentThat, keptTurns } = agents;

describe("a history", () => {
  test.each([
    [
      "of Loci",
      (context: Chat) => new LociSession({ loci: agents.loci, scope: `user:${context.user}`, id: context.chat }),
    ],
    ["of the SDK", () => withoutRecalledHistory(new MemorySession())],
  ])("%s holds what was said and nothing that was recalled", async (_, sessionOf) => {
    const { runner, agent, model, memory } = agentThat([
      [functionCall("weather", { city: "Oslo" }, { callId: "c1" })],
      [assistantMessage("Cold.")],
      [assistantMessage("Oslo.")],
    ]);
    const context = chatOf("ann");
    const session = sessionOf(context);
    await runner.run(agent, "  Is it cold where I live?", { context, session });
    const first = await session.getItems();
    expect(first[0]).toEqual({ type: "message", role: "user", content: "  Is it cold where I live?" });
    expect(JSON.stringify(first)).not.toContain("loci-");
    const stream = await runner.run(agent, "And where do I live?", { context, session, stream: true });
    await stream.completed;
    const second = await session.getItems();
    expect(second.slice(0, first.length)).toEqual(first);
    expect(JSON.stringify(second)).not.toContain("loci-");
    // What stands before the question came to the model as it was said.
    const shown = inputs(model)[2]!;
    expect(JSON.stringify(shown.slice(0, -1))).toBe(JSON.stringify(first));
    await memory.settled();
    expect(await keptTurns(context)).toEqual([
      "user:   Is it cold where I live?",
      'assistant: weather({"city":"Oslo"})',
      "tool: 4 degrees in Oslo [c1]",
      "assistant: Cold.",
      "user: And where do I live?",
      "assistant: Oslo.",
    ]);
  });

  test("of the SDK has what every object has", () => {
    const session = withoutRecalledHistory(new MemorySession({ sessionId: "talk" }));
    expect(Object.hasOwn(session, "sessionId")).toBe(Object.hasOwn(new MemorySession(), "sessionId"));
    // oxlint-disable-next-line eslint/no-prototype-builtins -- As whoever was given the session may ask.
    expect(session.hasOwnProperty("sessionId")).toBe(Object.hasOwn(session, "sessionId"));
    expect(session.valueOf()).toBeInstanceOf(MemorySession);
  });

  test("that keeps blocks shows them no more", async () => {
    const { runner, agent, model } = agentThat([[assistantMessage("Oslo.")], [assistantMessage("Yes.")]]);
    const context = chatOf("ann");
    const session = new MemorySession();
    await runner.run(agent, "Where do I live?", { context, session });
    await runner.run(agent, "Still?", { context, session });
    const [first] = inputs(model)[1]!;
    expect(first).toEqual({ type: "message", role: "user", content: "Where do I live?" });
  });

  test("gives the same answer to the same question twice, and both are kept", async () => {
    const context = chatOf("ann");
    const session = new LociSession({ loci: agents.loci, scope: "user:ann", id: context.chat });
    for (let time = 0; time < 2; time++) {
      // Another process knows nothing of the first time.
      const call = functionCall("weather", { city: "Bern" }, { callId: "c1" });
      const { runner, agent, memory } = agentThat([[call], [assistantMessage("As always.")]]);
      await runner.run(agent, "The weather, please.", { context, session });
      await memory.settled();
    }
    expect(await keptTurns(context)).toHaveLength(8);
  });

  test("which the application keeps itself is left as it is, byte for byte", async () => {
    const { runner, agent, model } = agentThat([[assistantMessage("Yes.")]]);
    const before: AgentInputItem[] = [
      { role: "user", content: "I said:\n<loci-recalled> is a tag." },
      { role: "assistant", status: "completed", content: [{ type: "output_text", text: "It is." }], id: "msg_1" },
    ];
    await runner.run(agent, [...before, { role: "user", content: "Still?" }], { context: chatOf("ann") });
    expect(JSON.stringify(inputs(model)[0]!.slice(0, 2))).toBe(JSON.stringify(before));
  });
});
