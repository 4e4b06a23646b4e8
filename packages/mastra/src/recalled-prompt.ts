import { instructionsNotice, type RecalledBlock } from "@loci/agent";
import type { Prompt, PromptMessage } from "./prompt.ts";

/**
 * A prompt in which the block is the first text of the latest message of the user, and the instructions end with what it is. The other
 * messages are the same objects.
 */
export function recalledPrompt(prompt: Prompt, place: number, block: RecalledBlock | undefined): Prompt {
  const messages = prompt.map((message, index): PromptMessage =>
    index === place && message.role === "user" && block !== undefined
      ? { ...message, content: [{ type: "text", text: `${block.text}\n\n` }, ...message.content] }
      : message,
  );
  const last = messages.findIndex(({ role }) => role !== "system") - 1;
  const instructions = messages[last];
  // In the same message: some models take but one of the system.
  return instructions?.role === "system"
    ? messages.with(last, { ...instructions, content: `${instructions.content}\n\n${instructionsNotice}` })
    : [{ role: "system", content: instructionsNotice }, ...messages];
}
