import { blockOwnerKinds, formatScope, type ScopeText } from "@loci/domain";
import type { KnownConversation } from "./conversation.ts";

const owningKinds: ReadonlySet<string> = new Set(blockOwnerKinds);

/** Whose blocks a conversation has to do with: those of who speaks, of the agent and of the project, as far as they can have blocks. */
export function blockOwners({ scope, agent, project }: KnownConversation): readonly ScopeText[] {
  const owners: readonly (ScopeText | undefined)[] = [
    owningKinds.has(scope.kind) ? formatScope(scope) : undefined,
    agent === undefined ? undefined : `agent:${agent}`,
    project === undefined ? undefined : `project:${project}`,
  ];
  return [...new Set(owners.filter((owner) => owner !== undefined))];
}
