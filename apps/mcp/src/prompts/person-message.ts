import type { GetPromptResult } from "@modelcontextprotocol/sdk/types.js";

/** A prompt of one message, as if the person had typed it. */
export function personMessage(text: string): GetPromptResult {
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
