import { Agent, RunState, tool } from "@openai/agents-core";
import {
  assistantMessage,
  functionCall,
  modelError,
  modelStreamResponder,
  ScriptedModel,
  type ScriptedModelInput,
} from "@openai/agents-core/testing";
import { describe, expect, test } from "vitest";
import { LociSession } from "../../src/index.ts";
import { type Chat, chatOf, inputs, latestOfUser, rememberingAgents, weather } from "./remembering-agents.ts";

const agents = rememberingAgents();
const { agentThat, keptTurns } = agents;

describe("a run", () => {
  test("beside another one with the same context keeps nothing of what that one said", async () => {
    const { runner, agent, memory } = agentThat([]);
    const context = chatOf("ann");
    const run = (question: string, city: string, answer: ScriptedModelInput) => {
      const looks = [assistantMessage(`I look at ${city}.`), functionCall("weather", { city }, { callId: "c1" })];
      return runner.run(agent.clone({ model: new ScriptedModel([looks, answer]) }), question, { context });
    };
    await run("Is it cold in Oslo?", "Oslo", {
      type: "responder",
      respond: async () => {
        await run("And in Rome?", "Rome", [assistantMessage("Rome is cold.")]);
        return [assistantMessage("Oslo is cold.")];
      },
    });
    await memory.settled();
    const kept = (await keptTurns(context)).join("\n");
    const ofOslo = kept.slice(kept.indexOf("user: Is it"), kept.indexOf("assistant: Oslo is cold."));
    expect(ofOslo).not.toContain("Rome");
    expect(kept).toContain("assistant: Rome is cold.");
  });

  test("that streams is shown and kept the same", async () => {
    const { runner, agent, model, memory } = agentThat([
      [functionCall("weather", { city: "Oslo" }, { callId: "c1" })],
      [assistantMessage("Cold.")],
    ]);
    const context = chatOf("ann");
    const result = await runner.run(agent, "Is it cold where I live?", { context, stream: true });
    let text = "";
    for await (const piece of result.toTextStream()) text += piece;
    await result.completed;
    expect(text).toBe("Cold.");
    expect(new Set(inputs(model).map(latestOfUser)).size).toBe(1);
    await memory.settled();
    expect(await keptTurns(context)).toHaveLength(4);
  });

  test("that is made again after its answer was lost is kept once", async () => {
    const context = chatOf("ann");
    for (let attempt = 0; attempt < 2; attempt++) {
      // Another process knows nothing of the first attempt.
      const { runner, agent, memory } = agentThat([[assistantMessage("Oslo.")]]);
      await runner.run(agent, "Where do I live?", { context });
      await memory.settled();
    }
    expect(await keptTurns(context)).toHaveLength(2);
  });

  test("that is stopped in the middle of its answer leaves nothing", async () => {
    const controller = new AbortController();
    const { runner, agent, memory, calls } = agentThat([
      modelStreamResponder(async function* () {
        yield { type: "output_text_delta", delta: "Os" } as const;
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 10));
        yield { type: "output_text_delta", delta: "lo" } as const;
      }),
    ]);
    const context = chatOf("ann");
    const result = await runner.run(agent, "Where do I live?", { context, stream: true, signal: controller.signal });
    await result.completed.catch(() => undefined);
    await memory.settled();
    expect(calls).toEqual(["assemble"]);
  });

  test("whose model fails leaves nothing", async () => {
    const { runner, agent, memory, calls } = agentThat([modelError(new Error("Overloaded."))]);
    await expect(runner.run(agent, "Where do I live?", { context: chatOf("ann") })).rejects.toThrow("Overloaded.");
    await memory.settled();
    expect(calls).toEqual(["assemble"]);
  });

  test("of two users at once are kept apart", async () => {
    const answers = Array.from({ length: 6 }, () => [assistantMessage("There.")]);
    const { runner, agent, model, memory } = agentThat(answers);
    const contexts = Array.from({ length: 6 }, (_, index) => chatOf(index % 2 === 0 ? "ann" : "bob"));
    await Promise.all(
      contexts.map((context) => runner.run(agent, `Where do I live? I ask in ${context.chat}.`, { context })),
    );
    await memory.settled();
    for (const [index, context] of contexts.entries()) {
      const shown = inputs(model)
        .map(latestOfUser)
        .find((text) => text.endsWith(`${context.chat}.`));
      expect(shown?.includes("Rome")).toBe(index % 2 === 1);
      expect(await keptTurns(context)).toEqual([
        `user: Where do I live? I ask in ${context.chat}.`,
        "assistant: There.",
      ]);
    }
  });

  test("that waits for an approval is kept once it is finished", async () => {
    const { runner, model, memory } = agentThat([
      [functionCall("send", { note: "password: hunter2secret" }, { callId: "c1" })],
      [assistantMessage("It is sent.")],
    ]);
    const send = tool({
      name: "send",
      description: "Sends it.",
      strict: false,
      parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
      needsApproval: true,
      execute: () => "Sent.",
    });
    const agent = new Agent<Chat>({ name: "Helper", model, tools: [send] });
    const context = chatOf("ann");
    const session = new LociSession({ loci: agents.loci, scope: "user:ann", id: context.chat });
    const waiting = await runner.run(agent, "Send it. password: hunter2secret", { context, session });
    const [asked] = waiting.interruptions;
    await memory.settled();
    await expect(keptTurns(context)).rejects.toMatchObject({ reason: "SESSION_NOT_FOUND" });
    waiting.state.approve(asked!);
    await runner.run(agent, waiting.state, { session });
    await memory.settled();
    expect(await keptTurns(context)).toEqual([
      "user: Send it. password: [redacted: password]",
      'assistant: send({"note":"password: [redacted: password]"})',
      "tool: Sent. [c1]",
      "assistant: It is sent.",
    ]);
    expect((await session.getItems()).map(({ type }) => type)).toEqual([
      "message",
      "function_call",
      "function_call_result",
      "message",
    ]);
  });

  test("that waits for an approval may go on in another process", async () => {
    const send = tool({
      name: "send",
      description: "Sends it.",
      strict: false,
      parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
      needsApproval: true,
      execute: () => "Sent.",
    });
    const context = chatOf("ann");
    const process = () => {
      const made = agentThat([]);
      return { ...made, agent: new Agent<Chat>({ name: "Helper", model: made.model, tools: [weather, send] }) };
    };
    const one = process();
    one.model.enqueue(
      [functionCall("weather", { city: "Bern" }, { callId: "c0" })],
      [functionCall("send", {}, { callId: "c1" })],
    );
    const waiting = await one.runner.run(one.agent, "Send the weather.", { context });
    const other = process();
    other.model.enqueue([assistantMessage("It is sent.")]);
    const state = await RunState.fromString<Chat, Agent<Chat>>(other.agent, waiting.state.toString());
    state.approve(state.getInterruptions()[0]!);
    await other.runner.run(other.agent, state);
    await other.memory.settled();
    expect(await keptTurns(context)).toEqual([
      "user: Send the weather.",
      'assistant: weather({"city":"Bern"})',
      "tool: 4 degrees in Bern [c0]",
      "assistant: send({})",
      "tool: Sent. [c1]",
      "assistant: It is sent.",
    ]);
  });

  test("whose tool fails is kept with what the model was told of it", async () => {
    const { runner, model, memory } = agentThat([
      [functionCall("break", {}, { callId: "c1" })],
      [assistantMessage("It broke.")],
    ]);
    const fail = tool({
      name: "break",
      description: "Fails.",
      strict: false,
      parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
      execute: () => {
        throw new Error("Broken.");
      },
    });
    const context = chatOf("ann");
    await runner.run(new Agent<Chat>({ name: "Helper", model, tools: [fail] }), "Break it.", { context });
    await memory.settled();
    expect(await keptTurns(context)).toEqual([
      "user: Break it.",
      "assistant: break({})",
      expect.stringMatching(/^tool: .*error.* \[c1\]$/),
      "assistant: It broke.",
    ]);
  });

  test("whose answer a guardrail refuses leaves nothing", async () => {
    const { runner, model, memory, calls } = agentThat([[assistantMessage("Secret.")]]);
    const agent = new Agent<Chat>({
      name: "Helper",
      model,
      outputGuardrails: [{ name: "no", execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) }],
    });
    await expect(runner.run(agent, "Where?", { context: chatOf("ann") })).rejects.toThrow("guardrail");
    await memory.settled();
    expect(calls).toEqual(["assemble"]);
  });

  test("that another agent takes over is one run", async () => {
    const { runner, memory, model, calls } = agentThat([
      [functionCall("weather", { city: "Rome" }, { callId: "c0" })],
      [functionCall("transfer_to_Poet", {}, { callId: "h1" })],
      [functionCall("weather", { city: "Oslo" }, { callId: "c1" })],
      [assistantMessage("Oslo, oh cold.")],
    ]);
    const poet = new Agent<Chat>({ name: "Poet", model, tools: [weather] });
    const first = new Agent<Chat>({ name: "Helper", model, tools: [weather], handoffs: [poet] });
    const context = chatOf("ann");
    await runner.run(first, "A poem on where I live.", { context });
    await memory.settled();
    expect(calls.filter((call) => call === "assemble")).toHaveLength(1);
    expect(await keptTurns(context)).toEqual([
      "user: A poem on where I live.",
      'assistant: weather({"city":"Rome"})',
      "tool: 4 degrees in Rome [c0]",
      'assistant: weather({"city":"Oslo"})',
      "tool: 4 degrees in Oslo [c1]",
      "assistant: Oslo, oh cold.",
    ]);
  });
});
