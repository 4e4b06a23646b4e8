import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, type ContentBlock, ToolMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Conversation } from "@loci/agent";
import {
  type AgentDriver,
  image,
  type ModelScript,
  type ShownCall,
  type ShownMessage,
  type ToldMessage,
} from "@loci/agent/conformance";
import { createAgent, HumanMessage, tool, type ToolRuntime } from "langchain";
import { z } from "zod";
import { lociMiddleware } from "../src/index.ts";

/** Agents of LangChain that are invoked or streamed, with the messages of the state before. */
export const langChainDriver: AgentDriver<readonly BaseMessage[]> = {
  name: "langchain",
  start: (options) => {
    const middleware = lociMiddleware({
      ...options,
      conversation: ({ configurable }) => configurable["conversation"] as Conversation | undefined,
    });
    return {
      settled: () => middleware.settled(),
      ask: async ({ conversation, history = [], messages, instructions, script, isStreamed, signal }) => {
        const agent = createAgent({
          model: new DrivenModel(script),
          systemPrompt: instructions,
          tools: script.tools.map((name) => toolNamed(name, script)),
          middleware: [middleware],
        });
        const input = { messages: [...history, ...messages.map(messageOfUser)] };
        const config = { signal, configurable: { conversation } };
        if (!isStreamed) return answerIn(await agent.invoke(input, config));
        let state: { messages: BaseMessage[] } = { messages: [] };
        for await (const [mode, piece] of await agent.stream(input, { ...config, streamMode: ["messages", "values"] }))
          if (mode === "values") state = piece;
        return answerIn(state);
      },
    };
  },
};

function answerIn({ messages }: { readonly messages: readonly BaseMessage[] }) {
  return { text: messages.at(-1)?.text ?? "", history: messages };
}

function messageOfUser(message: ToldMessage): HumanMessage {
  if (typeof message === "string") return new HumanMessage(message);
  const content = message.map((part): ContentBlock.Standard =>
    part === image ? { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } : { type: "text", text: part },
  );
  return new HumanMessage({ content });
}

function toolNamed(name: string, script: ModelScript) {
  return tool((_input: object, runtime: ToolRuntime) => script.resultOf(runtime.toolCallId), {
    name,
    description: name,
    schema: z.object({}).loose(),
  });
}

/** A model that does what a script says. */
class DrivenModel extends BaseChatModel {
  readonly #script: ModelScript;

  constructor(script: ModelScript) {
    super({ maxRetries: 0 });
    this.#script = script;
  }

  override _llmType(): string {
    return "driven";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const { text, calls, end } = this.#script.next(shownIn(messages));
    end();
    const tool_calls = calls.map(({ id, tool, input }) => ({
      id,
      name: tool,
      args: input,
      type: "tool_call" as const,
    }));
    const message = new AIMessage({ content: text, tool_calls });
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { pieces, calls, end } = this.#script.next(shownIn(messages));
    for (const piece of pieces) {
      yield new ChatGenerationChunk({ text: piece, message: new AIMessageChunk(piece) });
      await runManager?.handleLLMNewToken(piece);
    }
    for (const [index, { id, tool, input }] of calls.entries()) {
      const chunk = { id, name: tool, args: JSON.stringify(input), index, type: "tool_call_chunk" as const };
      yield new ChatGenerationChunk({
        text: "",
        message: new AIMessageChunk({ content: "", tool_call_chunks: [chunk] }),
      });
    }
    end();
  }
}

function shownIn(messages: readonly BaseMessage[]): ShownCall {
  const instructions = messages.filter(({ type }) => type === "system").map(({ text }) => text);
  return { instructions: instructions.join("|"), messages: messages.flatMap(shownMessages) };
}

function shownMessages(message: BaseMessage): ShownMessage[] {
  if (message.type === "system") return [];
  if (message.type === "human") return [{ role: "user", text: textOf(message) }];
  if (ToolMessage.isInstance(message)) return [{ role: "tool", text: message.text, answers: message.tool_call_id }];
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const shown = calls.map(({ id = "", name, args }) => ({ id, tool: name, input: args as unknown }));
  return [{ role: "assistant", text: message.text, ...(shown.length === 0 ? {} : { calls: shown }) }];
}

function textOf({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => ("text" in part ? String(part["text"]) : image)).join("");
}
