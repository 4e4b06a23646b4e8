// What runs leave in a history in Loci is what they leave in the SDK's own.
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type OutputGuardrail,
  Runner,
  type Session,
  tool,
} from "@openai/agents-core";
import {
  assistantMessage,
  functionCall,
  modelError,
  ScriptedModel,
  type ScriptedModelInput,
} from "@openai/agents-core/testing";
import { expect, test } from "vitest";
import { LociSession } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";

const opened = openedLoci();
const runner = new Runner({ tracingDisabled: true });
const parameters = { type: "object" as const, properties: {}, required: [], additionalProperties: true as const };
const look = tool({
  name: "look",
  description: "Looks.",
  strict: false,
  parameters,
  execute: () => "A cat\nand a dog.",
});
const send = tool({
  name: "send",
  description: "Sends.",
  strict: false,
  parameters,
  needsApproval: true,
  execute: () => "Sent.",
});

type Scenario = (session: Session) => Promise<void>;

function agentThat(
  says: readonly ScriptedModelInput[],
  more: { readonly toolUseBehavior?: "stop_on_first_tool"; readonly outputGuardrails?: OutputGuardrail[] } = {},
): Agent {
  return new Agent({ name: "Helper", model: new ScriptedModel(says), tools: [look, send], ...more });
}

const refusesAll: OutputGuardrail = { name: "no", execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) };

const scenarios: Readonly<Record<string, Scenario>> = {
  "two questions": async (session) => {
    const agent = agentThat([
      [functionCall("look", {}, { callId: "c1" })],
      [assistantMessage("A cat.")],
      [assistantMessage("Bye.")],
    ]);
    await runner.run(agent, "What is there?", { session });
    await (
      await runner.run(agent, [{ role: "user", content: [{ type: "input_text", text: "Bye." }] }], {
        session,
        stream: true,
      })
    ).completed;
  },
  "a call that a person refuses": async (session) => {
    const agent = agentThat([[functionCall("send", {}, { callId: "c1" })], [assistantMessage("I did not.")]]);
    const { state } = await runner.run(agent, "Send it.", { session });
    state.reject(state.getInterruptions()[0]!);
    await runner.run(agent, state, { session });
  },
  "what a tool said, which a guardrail refuses": async (session) => {
    const agent = agentThat([[functionCall("look", {}, { callId: "c1" })]], {
      toolUseBehavior: "stop_on_first_tool",
      outputGuardrails: [refusesAll],
    });
    await expect(runner.run(agent, "Look.", { session })).rejects.toThrow("guardrail");
  },
  "an answer that a guardrail refuses": async (session) => {
    const agent = agentThat([[functionCall("look", {}, { callId: "c1" })], [assistantMessage("A cat.")]], {
      outputGuardrails: [refusesAll],
    });
    const stream = await runner.run(agent, "Look.", { session, stream: true });
    await expect(stream.completed).rejects.toThrow("guardrail");
  },
  "a model that fails, and a second try": async (session) => {
    const agent = agentThat([
      [functionCall("look", {}, { callId: "c1" })],
      modelError(new Error("Overloaded.")),
      [assistantMessage("A cat.")],
    ]);
    await expect(runner.run(agent, "Look.", { session })).rejects.toThrow("Overloaded.");
    await runner.run(agent, "Look again.", { session });
  },
};

test.each(Object.entries(scenarios))("%s", async (name, run) => {
  const theirs = new MemorySession();
  const ours = new LociSession({ loci: opened.loci, scope: "user:ann", id: name });
  await run(theirs);
  await run(ours);
  const kept: AgentInputItem[] = await theirs.getItems();
  expect(kept.length).toBeGreaterThan(0);
  expect(JSON.stringify(await ours.getItems())).toBe(JSON.stringify(kept));
});
