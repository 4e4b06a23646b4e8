import { LociError, type ScopeText } from "@loci/domain";
import { blockOwners } from "../block-owners.ts";
import type { KnownConversation } from "../conversation.ts";

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
