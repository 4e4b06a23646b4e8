import { formatScope, LociError, type ScopeText } from "@loci/domain";
import type { KnownConversation } from "../conversation.ts";

/** Whose blocks a conversation has to do with: those of who speaks, of the agent and of the project. */
export function blockOwners({ scope, agent, project }: KnownConversation): readonly ScopeText[] {
  const owners: readonly (ScopeText | undefined)[] = [
    formatScope(scope),
    agent === undefined ? undefined : `agent:${agent}`,
    project === undefined ? undefined : `project:${project}`,
  ];
  return [...new Set(owners.filter((owner) => owner !== undefined))];
}

/** The owner that a model names, if it is one of the conversation's. @throws LociError `INVALID_REQUEST` */
export function namedOwner(conversation: KnownConversation, named: unknown): ScopeText {
  const owners = blockOwners(conversation);
  const found = named === undefined ? owners[0] : owners.find((owner) => owner === named);
  if (found !== undefined) return found;
  throw new LociError("INVALID_REQUEST", {
    message: "owner is none whose blocks belong to this conversation.",
    field: "owner",
    advice: `Use one of ${owners.join(", ")}.`,
  });
}
