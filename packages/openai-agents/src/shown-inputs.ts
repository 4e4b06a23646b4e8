import type { KnownConversation } from "@loci/agent";
import type { AgentInputItem } from "@openai/agents-core";

/** What a run shows its model, and in which conversation. */
export interface ShownInput {
  readonly conversation: KnownConversation;
  readonly input: readonly AgentInputItem[];
}

const shown = new WeakMap<object, ShownInput>();

/** Notes what is shown, by the context that the run was started with. */
export function noteShown(context: unknown, what: ShownInput): void {
  if (typeof context === "object" && context !== null) shown.set(context, what);
}

/** What was shown last. */
export function lastShown(context: unknown): ShownInput | undefined {
  return typeof context === "object" && context !== null ? shown.get(context) : undefined;
}
