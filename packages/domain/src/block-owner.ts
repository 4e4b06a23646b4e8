import { LociError } from "./error.ts";
import { formatScope, parseScope, type ScopeInput } from "./scope.ts";

/** The kinds of scope that may own blocks: whoever or whatever lasts longer than a conversation. */
export const blockOwnerKinds = ["user", "agent", "team", "project"] as const;

/** Whose a block is. */
export interface BlockOwner {
  readonly kind: (typeof blockOwnerKinds)[number];
  readonly id: string;
}

/**
 * Checks and parses the owner of a block, such as `user:alice`.
 *
 * @throws LociError `INVALID_SCOPE` for an unknown kind, or one that owns no blocks; `INVALID_IDENTIFIER` for a bad id
 */
export function parseBlockOwner(input: ScopeInput | string, field = "owner"): BlockOwner {
  const scope = parseScope(input, field);
  const kind = blockOwnerKinds.find((known) => known === scope.kind);
  if (kind !== undefined && scope.id !== undefined) return { kind, id: scope.id };
  throw new LociError("INVALID_SCOPE", {
    message: `${field} is of the kind ${scope.kind}, which owns no blocks.`,
    field,
    advice: "An owner is user:ID, agent:ID, team:ID or project:ID; on the command line --scope names it.",
  });
}

/** The text form of an owner, such as `agent:coach`. */
export function formatBlockOwner(owner: BlockOwner): string {
  return formatScope(owner);
}
