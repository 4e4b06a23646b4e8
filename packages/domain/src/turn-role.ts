import type { Provenance, TurnRole } from "./memory.ts";

/** Names that programs give to who is no person. Chat formats use the first of each, exports of chats the others. */
const namesOfAssistants: ReadonlySet<string> = new Set(["assistant", "ai", "bot", "chatbot", "model", "chatgpt"]);
const namesOfTools: ReadonlySet<string> = new Set(["tool", "function"]);

/**
 * What the speaker of a turn is: as its provenance says, else as the name does. `Assistant`, `Travel assistant` and
 * `support-bot` are assistants, `tool` and `function` tools, by the last word of the name; everybody else is a person.
 */
export function roleOfSpeaker({ role, speaker }: Pick<Provenance, "role" | "speaker">): TurnRole {
  if (role !== undefined) return role;
  if (speaker === undefined) return "person";
  const name = speaker.slice(-longestName).toLowerCase();
  const lastWord = name.slice(lastBreak(name) + 1);
  if (namesOfAssistants.has(lastWord)) return "assistant";
  return namesOfTools.has(lastWord) ? "tool" : "person";
}

/** A name's last word is looked for among so many of its last UTF-16 units. */
const longestName = 40;

function lastBreak(name: string): number {
  return Math.max(name.lastIndexOf(" "), name.lastIndexOf("-"), name.lastIndexOf("_"));
}
