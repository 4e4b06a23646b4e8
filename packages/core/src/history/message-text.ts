import type { ChatMessage } from "@loci/domain";

/** A message in words: its text, `[image]` for each image, `[calls NAME ARGUMENTS]` for each tool call, a line each. */
export function messageText(message: ChatMessage): string {
  const { content, tool_calls: calls = [] } = message;
  if (typeof content === "string" && calls.length === 0) return content;
  const lines: string[] = [];
  if (typeof content === "string") lines.push(content);
  else for (const part of content ?? []) lines.push(part.type === "text" ? part.text : "[image]");
  for (const call of calls) lines.push(`[calls ${call.function.name} ${call.function.arguments}]`);
  return lines.filter((line) => line !== "").join("\n");
}

export function hasImage({ content }: ChatMessage): boolean {
  return Array.isArray(content) && content.some(({ type }) => type === "image_url");
}
