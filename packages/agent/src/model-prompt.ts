/**
 * What a model is sent, as the AI SDK's providers of several versions and the frameworks around them write it: what of it becomes turns.
 */
export type PromptMessage =
  | { readonly role: "system" }
  | { readonly role: "user"; readonly content: readonly ShownPart[] }
  | { readonly role: "assistant" | "tool"; readonly content: readonly PromptPart[] };

/** What people send. */
export type ShownPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string };

export type PromptPart =
  | ShownPart
  | { readonly type: "tool-call"; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  | { readonly type: "tool-result"; readonly toolCallId: string; readonly output: PromptToolOutput }
  | UnkeptPart;

/** Neither said nor done. */
interface UnkeptPart {
  readonly type: "reasoning" | "reasoning-file" | "custom" | "tool-approval-request" | "tool-approval-response";
}

export type PromptToolOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "json" | "error-json"; readonly value: unknown }
  | { readonly type: "execution-denied"; readonly reason?: string | undefined }
  | { readonly type: "content"; readonly value: readonly OutputPart[] };

/** A text, or a file of some media type. */
interface OutputPart {
  readonly type: string;
  readonly text?: string | undefined;
  readonly mediaType?: string | undefined;
}
