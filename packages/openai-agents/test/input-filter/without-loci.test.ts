import { type Loci, LociError } from "@loci/domain";
import { Agent, Runner } from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { describe, expect, test } from "vitest";
import { AgentMemory, lociInputFilter } from "../../src/index.ts";
import { type Chat, chatOf, inputs, latestOfUser, rememberingAgents } from "./remembering-agents.ts";

const agents = rememberingAgents();
const { agentThat } = agents;

describe("a run", () => {
  test("that is stopped while it recalls cancels the recall", async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const hanging = {
      ...agents.loci,
      assemble: (_request, options) =>
        new Promise((_, reject) => {
          seen = options?.signal;
          seen?.addEventListener("abort", () => reject(new LociError("CANCELLED", { message: "Cancelled." })));
          setTimeout(() => controller.abort(new Error("The user left.")), 5);
        }),
    } as Loci;
    const memory = new AgentMemory<Chat>({ loci: hanging, conversation: { scope: "user:ann" } });
    const runner = new Runner({
      callModelInputFilter: lociInputFilter(memory, { signal: () => controller.signal }),
      tracingDisabled: true,
    });
    const model = new ScriptedModel([[assistantMessage("Oslo.")]]);
    const agent = new Agent<Chat>({ name: "Helper", model });
    await expect(runner.run(agent, "Where?", { context: chatOf("ann") })).rejects.toThrow("The user left.");
    expect(seen?.aborted).toBe(true);
    expect(model.calls).toHaveLength(0);
  });

  test("goes on when Loci does not answer, within its time", async () => {
    const { runner, agent, model, errors } = agentThat(
      [[functionCall("weather", { city: "Oslo" }, { callId: "c1" })], [assistantMessage("Somewhere.")]],
      {
        loci: { ...agents.loci, assemble: () => new Promise(() => undefined) },
        recallTimeoutMilliseconds: 50,
      },
    );
    const start = performance.now();
    const { finalOutput } = await runner.run(agent, "Where do I live?", { context: chatOf("ann") });
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(finalOutput).toBe("Somewhere.");
    expect(errors).toEqual(["recall: DEADLINE_EXCEEDED"]);
    expect(latestOfUser(inputs(model)[0]!)).toBe("Where do I live?");
  });

  test("fails before the model is called where memory is required and Loci fails", async () => {
    const down = () => Promise.reject(new LociError("SERVER_UNAVAILABLE", { message: "It is down." }));
    const { runner, agent, model } = agentThat([[assistantMessage("Somewhere.")]], {
      loci: { ...agents.loci, assemble: down },
      required: true,
    });
    await expect(runner.run(agent, "Where?", { context: chatOf("ann") })).rejects.toThrow("It is down.");
    expect(model.calls).toHaveLength(0);
  });

  test("without a conversation fails before the model is called", async () => {
    const { runner, agent, model } = agentThat([[assistantMessage("Somewhere.")]], { conversation: () => undefined });
    await expect(runner.run(agent, "Where?", { context: chatOf("ann") })).rejects.toMatchObject({
      reason: "SCOPE_REQUIRED",
    });
    expect(model.calls).toHaveLength(0);
  });
});
