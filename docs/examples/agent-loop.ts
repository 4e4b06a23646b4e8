// What `docs/guides/agent-loop.md` shows: an agent that calls tools, with each of three libraries, streaming.
import {
  type AiSdkContext,
  type AnthropicContext,
  type ChatMessage,
  type Loci,
  toAiSdk,
  toAnthropic,
} from "@loci/loci";
import type { OpenAiMessage, ToolCall } from "@loci/loci";

/** What an agent is made of. */
export interface Agent {
  readonly loci: Loci;
  /** The conversation, which grows: yours to keep. */
  readonly messages: ChatMessage[];
  /** Runs a tool; what it returns is shown to the model. */
  readonly run: (name: string, input: unknown) => Promise<string>;
  /** Told of each piece of the answer as it comes. */
  readonly show: (piece: string) => void;
}

/**
 * Asks one question and remembers what was said, so that it is found when the conversation is gone.
 *
 * @param answer one of the loops below, with your model
 */
export async function ask(agent: Agent, question: string, answer: (agent: Agent) => Promise<string>): Promise<string> {
  const askedAt = Date.now();
  agent.messages.push({ role: "user", content: question });
  const answered = await answer(agent);
  await agent.loci.memories.rememberConversation({
    session: "ann-monday",
    scope: "user:ann",
    turns: [
      { id: `question-${askedAt}`, speaker: "Ann", role: "person", content: question, at: askedAt },
      { id: `answer-${askedAt}`, speaker: "Agent", role: "assistant", content: answered, at: Date.now() },
    ],
  });
  return answered;
}

/** The most often a model is called for one question: one that calls its tools again and again never answers. */
const mostCalls = 20;

/** A piece of OpenAI's stream: `ChatCompletionChunk`. */
export interface OpenAiChunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
  }[];
}

/** `(messages) => client.chat.completions.create({ model: "gpt-4o", messages, tools, stream: true })` */
export type OpenAiStream = (messages: OpenAiMessage[]) => Promise<AsyncIterable<OpenAiChunk>>;

export async function answerWithOpenAi({ loci, messages, run, show }: Agent, stream: OpenAiStream): Promise<string> {
  for (let call = 0; call < mostCalls; call++) {
    const context = await loci.assemble({ model: "gpt-4o", messages, recall: { scopes: ["user:ann"] } });
    let content = "";
    const tools: { id: string; name: string; input: string }[] = [];
    for await (const { choices } of await stream(context.messages))
      for (const { delta } of choices) {
        content += delta.content ?? "";
        show(delta.content ?? "");
        for (const piece of delta.tool_calls ?? []) {
          const tool = (tools[piece.index] ??= { id: "", name: "", input: "" });
          tool.id += piece.id ?? "";
          tool.name += piece.function?.name ?? "";
          tool.input += piece.function?.arguments ?? "";
        }
      }
    messages.push(assistantMessage(content, tools));
    if (tools.length === 0) return content;
    // Of a tool that takes nothing some servers send no arguments at all.
    for (const { id, name, input } of tools)
      messages.push({ role: "tool", tool_call_id: id, content: await run(name, JSON.parse(input || "{}")) });
  }
  throw tooManyCalls();
}

/** What `client.messages.stream({ model, max_tokens, tools, ...context })` gives, as far as it is used. */
export interface AnthropicReply extends AsyncIterable<{
  readonly type: string;
  readonly delta?: { readonly type?: string; readonly text?: string };
}> {
  finalMessage(): Promise<{
    readonly content: readonly (
      | { readonly type: "text"; readonly text: string }
      | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }
    )[];
  }>;
}

export async function answerWithAnthropic(
  { loci, messages, run, show }: Agent,
  stream: (context: AnthropicContext) => AnthropicReply,
): Promise<string> {
  for (let call = 0; call < mostCalls; call++) {
    const context = await loci.assemble({ model: "claude-sonnet-4-6", messages, recall: { scopes: ["user:ann"] } });
    const reply = stream(toAnthropic(context));
    for await (const { delta } of reply) show(delta?.text ?? "");
    const { content } = await reply.finalMessage();
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const uses = content.filter((block) => block.type === "tool_use");
    const calls = uses.map(({ id, name, input }) => ({ id, name, input: JSON.stringify(input) }));
    messages.push(assistantMessage(text, calls));
    if (uses.length === 0) return text;
    for (const { id, name, input } of uses)
      messages.push({ role: "tool", tool_call_id: id, content: await run(name, input) });
  }
  throw tooManyCalls();
}

/** What `streamText({ model, tools, ...context })` gives, as far as it is used. The tools have no `execute`. */
export interface AiSdkReply {
  readonly textStream: AsyncIterable<string>;
  readonly toolCalls: PromiseLike<
    readonly { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }[]
  >;
}

export async function answerWithAiSdk(
  { loci, messages, run, show }: Agent,
  stream: (context: AiSdkContext) => AiSdkReply,
): Promise<string> {
  for (let call = 0; call < mostCalls; call++) {
    const context = await loci.assemble({ model: "gpt-5", messages, recall: { scopes: ["user:ann"] } });
    const reply = stream(toAiSdk(context));
    let text = "";
    for await (const piece of reply.textStream) {
      text += piece;
      show(piece);
    }
    const uses = await reply.toolCalls;
    const calls = uses.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input: JSON.stringify(input) }));
    messages.push(assistantMessage(text, calls));
    if (uses.length === 0) return text;
    for (const { toolCallId, toolName, input } of uses)
      messages.push({ role: "tool", tool_call_id: toolCallId, content: await run(toolName, input) });
  }
  throw tooManyCalls();
}

function tooManyCalls(): Error {
  return new Error(`There is no answer after ${mostCalls} calls of the model.`);
}

/** The model's turn in the form Loci takes. */
function assistantMessage(
  content: string,
  calls: readonly { readonly id: string; readonly name: string; readonly input: string }[],
): ChatMessage {
  const toolCalls = calls.map(({ id, name, input }): ToolCall => ({
    id,
    type: "function",
    function: { name, arguments: input },
  }));
  return toolCalls.length === 0
    ? { role: "assistant", content }
    : { role: "assistant", content: content === "" ? null : content, tool_calls: toolCalls };
}
