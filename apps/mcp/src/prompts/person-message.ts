import type { GetPromptResult } from "@modelcontextprotocol/server";

/** A prompt of one message, as if the person had typed it. */
export function personMessage(text: string): GetPromptResult {
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
