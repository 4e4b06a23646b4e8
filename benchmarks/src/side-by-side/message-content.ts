import type { ChatMessage, ToolCall } from "@loci/domain";

/** A message's text, its parts on a line each. */
export function textOf({ content }: Pick<ChatMessage, "content">): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : part.image_url.url)).join("\n");
}

/** A call's arguments as other libraries take them. */
export function argumentsOf({ function: { arguments: text } }: ToolCall): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Models write arguments that are not JSON.
    return { arguments: text };
  }
}
