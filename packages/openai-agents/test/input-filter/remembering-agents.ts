import type { AgentMemoryOptions } from "@loci/agent";
import { LociError, type Loci } from "@loci/domain";
import { Agent, type AgentInputItem, Runner, tool } from "@openai/agents-core";
import { ScriptedModel, type ScriptedModelInput } from "@openai/agents-core/testing";
import { beforeAll } from "vitest";
import { AgentMemory, captureRuns, lociInputFilter } from "../../src/index.ts";
import { openedLoci } from "../opened-loci.ts";

/** Who speaks, and where. */
export interface Chat {
  readonly user: string;
  readonly chat: string;
}

let chats = 0;
export function chatOf(user: string): Chat {
  return { user, chat: `chat-${++chats}` };
}

export const weather = tool({
  name: "weather",
  description: "The weather of a city.",
  strict: false,
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: true,
  },
  // Of several that are asked at once the last one answers first.
  execute: async (input) => {
    const { city } = input as { city: string };
    await new Promise((resolve) => setTimeout(resolve, city === "Oslo" ? 20 : 0));
    return `4 degrees in ${city}`;
  },
});

/** Agents with a Loci that knows where Ann and Bob live, for the tests of a file. */
export function rememberingAgents() {
  const opened = openedLoci();
  beforeAll(async () => {
    await opened.loci.memories.rememberMany([
      { text: "Ann prefers degrees Celsius.", category: "preference", scope: "user:ann" },
      { text: "Ann lives in Oslo since March.", category: "fact", scope: "user:ann" },
      { text: "Bob lives in Rome.", category: "fact", scope: "user:bob" },
    ]);
  });

  /** A runner with memory, an agent whose model says what it is told to, and what was asked of Loci. */
  const agentThat = (says: readonly ScriptedModelInput[], options: Partial<AgentMemoryOptions<Chat>> = {}) => {
    const { loci, calls } = watched(opened.loci);
    const errors: string[] = [];
    const memory = new AgentMemory<Chat>({
      loci,
      conversation: ({ user, chat }) => ({ scope: `user:${user}`, session: chat }),
      // The first recall reads a model, and machines are shared.
      recallTimeoutMilliseconds: 60_000,
      onError: (error, stage) => errors.push(`${stage}: ${LociError.is(error) ? error.reason : error.message}`),
      ...options,
    });
    const runner = new Runner({ callModelInputFilter: lociInputFilter(memory), tracingDisabled: true });
    captureRuns(runner, memory);
    const model = new ScriptedModel(says);
    const agent = new Agent<Chat>({ name: "Helper", instructions: "You help.", model, tools: [weather] });
    return { runner, agent, model, memory, calls, errors };
  };

  const keptTurns = async ({ user, chat }: Chat): Promise<string[]> => {
    const { turns } = await opened.loci.sessions.turns({ scope: `user:${user}`, id: chat });
    return turns.map(
      ({ role, content, toolCalls, toolCallId }) =>
        `${role}: ${content}${(toolCalls ?? []).map(({ function: called }) => `${called.name}(${called.arguments})`).join()}${toolCallId === undefined ? "" : ` [${toolCallId}]`}`,
    );
  };

  return {
    get loci(): Loci {
      return opened.loci;
    },
    agentThat,
    keptTurns,
  };
}

/** Counts what is asked of Loci. */
function watched(loci: Loci): { readonly loci: Loci; readonly calls: string[] } {
  const calls: string[] = [];
  const sessions = new Proxy(loci.sessions, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
      return typeof method !== "function"
        ? method
        : (...given: unknown[]) => {
            calls.push(`sessions.${String(name)}`);
            return method.apply(target, given);
          };
    },
  });
  const assemble: Loci["assemble"] = (...given) => {
    calls.push("assemble");
    return loci.assemble(...given);
  };
  return {
    loci: new Proxy(loci, {
      get: (target, name) =>
        name === "assemble" ? assemble : name === "sessions" ? sessions : (Reflect.get(target, name) as unknown),
    }),
    calls,
  };
}

export function inputs(model: ScriptedModel): AgentInputItem[][] {
  return model.calls.map(({ request }) => request.input as AgentInputItem[]);
}

export function latestOfUser(items: readonly AgentInputItem[]): string {
  const item = items.findLast((item) => "role" in item && item.role === "user");
  if (item === undefined || !("role" in item)) throw new Error("No message of the user.");
  return typeof item.content === "string"
    ? item.content
    : item.content.map((part) => ("text" in part ? part.text : `(${part.type})`)).join("|");
}
