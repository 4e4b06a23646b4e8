import type { MemoryCommand } from "@loci/agent";

interface SentBlock {
  readonly type: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

interface SentRequest {
  readonly tools: readonly unknown[];
  readonly messages: readonly { readonly content: string | readonly SentBlock[] }[];
}

/** Stands for the API: answers each request with the next command of the memory tool, or a text. */
export class FakeModel {
  readonly #replies: (MemoryCommand | string)[];
  /** What the tool answered, in order. */
  readonly results: { content: unknown; is_error: boolean | undefined }[] = [];
  /** The tools of the first request. */
  readonly tools: (readonly unknown[])[] = [];

  constructor(replies: readonly (MemoryCommand | string)[]) {
    this.#replies = [...replies];
  }

  readonly fetch = async (_url: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    const { tools, messages } = JSON.parse(String(init?.body)) as SentRequest;
    if (this.tools.length === 0) this.tools.push(tools);
    const { content } = messages.at(-1) ?? { content: "" };
    for (const block of typeof content === "string" ? [] : content)
      if (block.type === "tool_result") this.results.push({ content: block.content, is_error: block.is_error });
    const reply = this.#replies.shift() ?? "";
    const isText = typeof reply === "string";
    const said = isText
      ? { type: "text", text: reply }
      : { type: "tool_use", id: `toolu_${this.#replies.length}`, name: "memory", input: reply };
    return Response.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content: [said],
      stop_reason: isText ? "end_turn" : "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  };
}
