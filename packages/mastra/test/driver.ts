import type { Conversation } from "@loci/agent";
import type { AgentDriver, DrivenQuestion, ToldMessage } from "@loci/agent/conformance";
import { image } from "@loci/agent/conformance";
import { Agent } from "@mastra/core/agent";
import { RequestContext } from "@mastra/core/request-context";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { lociProcessor } from "../src/index.ts";
import { scriptedModel } from "./scripted-model.ts";

type Messages = Exclude<Parameters<Agent["generate"]>[0], string | string[]>;

/** Programs of Mastra whose agent generates or streams an answer, and that keep the messages themselves. */
export const mastraDriver: AgentDriver<readonly unknown[]> = {
  name: "mastra",
  start: (options) => {
    const conversation = (request: RequestContext | undefined) =>
      request?.get<string, Conversation | undefined>("conversation");
    const processor = lociProcessor({ ...options, conversation });
    return {
      settled: () => processor.settled(),
      ask: async (question) => {
        const { conversation, history = [], messages, instructions, script, isStreamed, signal } = question;
        const all = [...history, ...messages.map(messageOfUser)] as Messages;
        const agent = new Agent({
          id: "clerk",
          name: "clerk",
          instructions,
          model: scriptedModel(script),
          tools: toolsOf(question),
          inputProcessors: [processor],
          outputProcessors: [processor],
          maxRetries: 0,
        });
        const requestContext = new RequestContext<Record<string, unknown>>();
        if (conversation !== undefined) requestContext.set("conversation", conversation);
        const call = { requestContext, abortSignal: signal, maxSteps: 10 };
        if (!isStreamed) {
          const result = await agent.generate(all, call);
          signal.throwIfAborted();
          if (result.error !== undefined) throw result.error;
          // Its text is that of all steps.
          const text = result.steps.at(-1)?.text ?? "";
          return { text, history: [...(all as unknown[]), ...(result.response.messages ?? [])] };
        }
        const result = await agent.stream(all, call);
        for await (const part of result.fullStream) {
          if (part.type === "error") throw part.payload.error;
          if (part.type === "abort") throw signal.reason;
        }
        const { messages: said = [] } = await result.response;
        const steps = await result.steps;
        return { text: steps.at(-1)?.text ?? "", history: [...(all as unknown[]), ...said] };
      },
    };
  },
};

function messageOfUser(message: ToldMessage): unknown {
  if (typeof message === "string") return { role: "user", content: message };
  return {
    role: "user",
    content: message.map((part) =>
      part === image ? { type: "file", data: "iVBORw0KGgo=", mediaType: "image/png" } : { type: "text", text: part },
    ),
  };
}

function toolsOf({ script }: DrivenQuestion<unknown>) {
  const entries = script.tools.map((name) => [
    name,
    createTool({
      id: name,
      description: name,
      inputSchema: z.looseObject({}),
      execute: async (_input, { agent }) => script.resultOf(agent?.toolCallId ?? ""),
    }),
  ]);
  return Object.fromEntries(entries) as Record<string, ReturnType<typeof createTool>>;
}
