import type { Conversation } from "@loci/agent";
import {
  type AgentDriver,
  image,
  type ModelScript,
  type ScriptedAnswer,
  type ShownCall,
  type ShownMessage,
  type ShownToolCall,
  type ToldMessage,
} from "@loci/agent/conformance";
import {
  Agent,
  type AgentInputItem,
  type AssistantMessageItem,
  type FunctionCallItem,
  type Model,
  type ModelRequest,
  Runner,
  tool,
  Usage,
} from "@openai/agents-core";
import { AgentMemory, captureRuns, lociInputFilter } from "../src/index.ts";

interface Context {
  readonly conversation: Conversation | undefined;
  readonly signal: AbortSignal;
}

/** Agents of OpenAI's SDK that are run or streamed, with the items of the run before. */
export const openAiAgentsDriver: AgentDriver<AgentInputItem[]> = {
  name: "openai-agents",
  start: (options) => {
    const memory = new AgentMemory<Context>({ ...options, conversation: ({ conversation }) => conversation });
    const runner = new Runner({
      callModelInputFilter: lociInputFilter(memory, { signal: ({ signal }) => signal }),
      tracingDisabled: true,
    });
    captureRuns(runner, memory);
    return {
      settled: async () => {
        // What a run has said is given to the memory just behind its end.
        await new Promise((resolve) => setImmediate(resolve));
        await memory.settled();
      },
      ask: async ({ conversation, history = [], messages, instructions, script, isStreamed, signal }) => {
        const agent = new Agent<Context>({
          name: "Helper",
          instructions,
          model: modelOf(script),
          tools: script.tools.map((name) => toolNamed(name, script)),
        });
        const input = [...history, ...messages.map(messageOfUser)];
        const context = { conversation, signal };
        if (!isStreamed) {
          const result = await runner.run(agent, input, { context, signal });
          return { text: result.finalOutput ?? "", history: result.history };
        }
        const result = await runner.run(agent, input, { context, signal, stream: true });
        for await (const _piece of result) signal.throwIfAborted();
        await result.completed;
        signal.throwIfAborted();
        return { text: result.finalOutput ?? "", history: result.history };
      },
    };
  },
};

function messageOfUser(message: ToldMessage): AgentInputItem {
  if (typeof message === "string") return { role: "user", content: message };
  return {
    role: "user",
    content: message.map((part) =>
      part === image
        ? { type: "input_image", image: "data:image/png;base64,iVBORw0KGgo=" }
        : { type: "input_text", text: part },
    ),
  };
}

function toolNamed(name: string, script: ModelScript) {
  return tool({
    name,
    description: name,
    strict: false,
    parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
    execute: async (_input, _context, details) => script.resultOf(details?.toolCall?.callId ?? ""),
  });
}

function modelOf(script: ModelScript): Model {
  return {
    getResponse: async (request) => {
      const answer = script.next(shownIn(request));
      answer.end();
      return { usage: new Usage(), output: outputOf(answer) };
    },
    async *getStreamedResponse(request) {
      const answer = script.next(shownIn(request));
      yield { type: "response_started" };
      for (const delta of answer.pieces) yield { type: "output_text_delta", delta };
      answer.end();
      const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
      yield { type: "response_done", response: { id: "response", usage, output: outputOf(answer) } };
    },
  };
}

function outputOf({ text, calls }: ScriptedAnswer): (AssistantMessageItem | FunctionCallItem)[] {
  return [
    ...(text === ""
      ? []
      : [
          {
            type: "message" as const,
            role: "assistant" as const,
            status: "completed" as const,
            content: [{ type: "output_text" as const, text }],
          },
        ]),
    ...calls.map(({ id, tool, input }) => ({
      type: "function_call" as const,
      callId: id,
      name: tool,
      status: "completed" as const,
      arguments: JSON.stringify(input),
    })),
  ];
}

function shownIn({ input, systemInstructions = "" }: ModelRequest): ShownCall {
  const messages: ShownMessage[] = [];
  for (const item of typeof input === "string" ? [{ role: "user" as const, content: input }] : input) {
    const [shown] = shownItem(item);
    if (shown === undefined) continue;
    const last = messages.at(-1);
    // What is said and called in one step stands in items of its own.
    if (shown.calls !== undefined && last?.role === "assistant")
      messages[messages.length - 1] = { ...last, calls: [...(last.calls ?? []), ...shown.calls] };
    else messages.push(shown);
  }
  return { instructions: systemInstructions, messages };
}

function shownItem(item: AgentInputItem): ShownMessage[] {
  if (item.type === "function_call") {
    const call: ShownToolCall = { id: item.callId, tool: item.name, input: JSON.parse(item.arguments) };
    return [{ role: "assistant", text: "", calls: [call] }];
  }
  if (item.type === "function_call_result") {
    const { output, callId } = item;
    const text = typeof output === "string" ? output : "text" in output ? output.text : "?";
    return [{ role: "tool", text, answers: callId }];
  }
  if (!("role" in item) || item.role === "system") return [];
  const text =
    typeof item.content === "string"
      ? item.content
      : item.content.map((part) => ("text" in part ? part.text : image)).join("");
  return [{ role: item.role, text }];
}
