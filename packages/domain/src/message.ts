/** A part of a message's content, in the OpenAI form. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image_url";
      readonly image_url: { readonly url: string; readonly detail?: "auto" | "low" | "high" };
    };

export interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export type MessageRole = "system" | "developer" | "user" | "assistant" | "tool";

/**
 * A message in the form of OpenAI's own library: a list of them is its `ChatCompletionMessageParam[]`. Every one is a
 * {@link ChatMessage} as well.
 */
export type OpenAiMessage =
  | { role: "system" | "developer"; content: string | OpenAiTextPart[]; name?: string }
  | { role: "user"; content: string | (OpenAiTextPart | OpenAiImagePart)[]; name?: string }
  | { role: "assistant"; content?: string | OpenAiTextPart[] | null; name?: string; tool_calls?: OpenAiToolCall[] }
  | { role: "tool"; content: string | OpenAiTextPart[]; tool_call_id: string };

export interface OpenAiTextPart {
  type: "text";
  text: string;
}

export interface OpenAiImagePart {
  type: "image_url";
  image_url: { url: string; detail?: "auto" | "low" | "high" };
}

export interface OpenAiToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** One message of a conversation, exactly as the OpenAI chat API takes it. */
export interface ChatMessage {
  readonly role: MessageRole;
  readonly content?: string | readonly ContentPart[] | null | undefined;
  readonly name?: string | undefined;
  readonly tool_calls?: readonly ToolCall[] | undefined;
  readonly tool_call_id?: string | undefined;
  /** Not OpenAI's: an id of the caller's own. With it the message's tokens are counted once and remembered. */
  readonly id?: string | undefined;
}
