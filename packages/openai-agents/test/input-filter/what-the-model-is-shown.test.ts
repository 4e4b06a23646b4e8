import { instructionsNotice } from "@loci/agent";
import { Runner } from "@openai/agents-core";
import { assistantMessage, functionCall } from "@openai/agents-core/testing";
import { describe, expect, test } from "vitest";
import { lociInputFilter } from "../../src/index.ts";
import { chatOf, inputs, latestOfUser, rememberingAgents } from "./remembering-agents.ts";

const { agentThat, keptTurns } = rememberingAgents();

describe("a run", () => {
  test("shows the model what is remembered, in front of the question", async () => {
    const { runner, agent, model, memory, calls } = agentThat([[assistantMessage("Oslo.")]]);
    const context = chatOf("ann");
    const { finalOutput } = await runner.run(agent, "Where do I live?", { context });
    expect(finalOutput).toBe("Oslo.");
    const shown = latestOfUser(inputs(model)[0]!);
    expect(shown).toMatch(/^<loci-remembered>.*Celsius.*lives in Oslo.*>\n\nWhere do I live\?$/s);
    expect(shown).not.toContain("Rome");
    expect(model.firstCall?.request.systemInstructions).toBe(`You help.\n\n${instructionsNotice}`);
    await memory.settled();
    expect(await keptTurns(context)).toEqual(["user: Where do I live?", "assistant: Oslo."]);
    expect(calls.filter((call) => call === "assemble")).toHaveLength(1);
  });

  test("tells what each call is shown, and why", async () => {
    const { agent, memory } = agentThat([
      [functionCall("weather", { city: "Bern" }, { callId: "c1" })],
      [assistantMessage("Oslo.")],
    ]);
    const told: string[] = [];
    const filter = lociInputFilter(memory, {
      onRecalled: ({ memories, receipt, tokens }, { chat }) =>
        told.push(
          `${chat}: ${memories.length} of ${receipt.items.filter(({ kind }) => kind === "memory").length}, ${tokens > 0}`,
        ),
    });
    const context = chatOf("ann");
    await new Runner({ callModelInputFilter: filter, tracingDisabled: true }).run(agent, "Where do I live?", {
      context,
    });
    expect(told).toEqual([`${context.chat}: 2 of 2, true`, `${context.chat}: 2 of 2, true`]);
  });

  test("of several steps recalls once, shows the same bytes, and is kept once", async () => {
    const { runner, agent, model, memory, calls } = agentThat([
      [
        functionCall("weather", { city: "Oslo" }, { callId: "c1" }),
        functionCall("weather", { city: "Rome" }, { callId: "c2" }),
      ],
      [functionCall("weather", { city: "Bern" }, { callId: "c3" })],
      [assistantMessage("Oslo is cold.")],
    ]);
    const context = chatOf("ann");
    await runner.run(agent, "Is it cold where I live?", { context });
    expect(model.calls).toHaveLength(3);
    expect(new Set(inputs(model).map(latestOfUser)).size).toBe(1);
    expect(new Set(model.calls.map(({ request }) => request.systemInstructions)).size).toBe(1);
    expect(calls.filter((call) => call === "assemble")).toHaveLength(1);
    await memory.settled();
    expect(calls.filter((call) => call === "sessions.append")).toHaveLength(1);
    const kept = await keptTurns(context);
    expect(kept).toEqual([
      "user: Is it cold where I live?",
      'assistant: weather({"city":"Oslo"}),weather({"city":"Rome"})',
      "tool: 4 degrees in Oslo [c1]",
      "tool: 4 degrees in Rome [c2]",
      'assistant: weather({"city":"Bern"})',
      "tool: 4 degrees in Bern [c3]",
      "assistant: Oslo is cold.",
    ]);
  });

  test("whose history a server keeps shows the block with the question alone", async () => {
    const { runner, agent, model, memory, calls } = agentThat([
      [functionCall("weather", { city: "Oslo" }, { callId: "c1" })],
      [assistantMessage("Cold.")],
    ]);
    const context = chatOf("ann");
    await runner.run(agent, "Is it cold where I live?", { context, conversationId: "conv_1" });
    const [first, second] = inputs(model);
    expect(latestOfUser(first!)).toContain("lives in Oslo");
    expect(second!.map(({ type }) => type)).toEqual(["function_call_result"]);
    expect(calls.filter((call) => call === "assemble")).toHaveLength(1);
    await memory.settled();
    expect(await keptTurns(context)).toHaveLength(4);
  });

  test("with an image keeps it where it was", async () => {
    const { runner, agent, model, memory } = agentThat([[assistantMessage("Oslo.")], [assistantMessage("A cat.")]]);
    const context = chatOf("ann");
    const image = { type: "input_image" as const, image: "data:image/png;base64,iVBOR" };
    await runner.run(
      agent,
      [{ role: "user", content: [{ type: "input_text", text: "Is this where I live?" }, image] }],
      { context },
    );
    await runner.run(agent, [{ role: "user", content: [image] }], { context });
    expect(latestOfUser(inputs(model)[0]!)).toMatch(/lives in Oslo.*\|Is this where I live\?\|\(input_image\)$/s);
    expect(latestOfUser(inputs(model)[1]!)).toMatch(/Celsius.*\|\(input_image\)$/s);
    await memory.settled();
    expect((await keptTurns(context))[0]).toBe("user: Is this where I live?\n[image]");
  });

  test("of whom nothing is known goes on as it is", async () => {
    const { runner, agent, model } = agentThat([[assistantMessage("I do not know.")]]);
    await runner.run(agent, "Where do I live?", { context: chatOf("carl") });
    expect(inputs(model)[0]).toEqual([{ type: "message", role: "user", content: "Where do I live?" }]);
    expect(model.firstCall?.request.systemInstructions).toContain(instructionsNotice);
  });
});
