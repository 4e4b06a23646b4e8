import type { ChatMessage } from "@loci/domain";

/** How each line of a conversation begins. */
export type MessageForm = "roles" | "turns";

/** `[role]: `, or `[Turn 3] Role: `. */
export function lineLabel(role: ChatMessage["role"], turn: number, form: MessageForm): string {
  return form === "roles" ? `[${role}]: ` : `[Turn ${turn}] ${role.charAt(0).toUpperCase()}${role.slice(1)}: `;
}

/** What stands above a summary. */
export function summaryHeader(firstTurn: number, lastTurn: number, form: MessageForm): string {
  if (form === "roles") return "[Summary of earlier conversation]:";
  return firstTurn === lastTurn ? `[Summary of turn ${firstTurn}]:` : `[Summary of turns ${firstTurn}-${lastTurn}]:`;
}
