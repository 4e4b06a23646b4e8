import type { LanguageModelV4Content, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Whether a step ends its run: the model neither waits for a tool, nor was it stopped before it had answered. */
export function endsRun({ unified }: LanguageModelV4FinishReason, content: readonly LanguageModelV4Content[]): boolean {
  if (unified === "tool-calls" || unified === "error" || unified === "interrupted") return false;
  return !content.some((part) => part.type === "tool-call" && part.providerExecuted !== true);
}

/** Gathers what a stream says, part by part. */
export class StreamedContent {
  readonly content: LanguageModelV4Content[] = [];
  #failed = false;
  #text = "";

  /** True once the stream told of an error: then it ends no run. */
  get failed(): boolean {
    return this.#failed;
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-delta":
        this.#text += part.delta;
        return;
      case "tool-call":
      case "tool-result":
      case "file":
        this.#endText();
        this.content.push(part);
        return;
      case "error":
        this.#failed = true;
        return;
      case "finish":
        this.#endText();
        return;
      default:
    }
  }

  #endText(): void {
    if (this.#text !== "") this.content.push({ type: "text", text: this.#text });
    this.#text = "";
  }
}
