import { formatBlockOwner, type ProposedBlockEdit } from "@loci/domain";
import type { StoredEdit } from "./block-records.ts";

/** An edit as callers see it. */
export function editView({
  owner,
  label,
  edit,
}: Pick<StoredEdit, "owner" | "label" | "edit" | "version">): ProposedBlockEdit {
  const { id, baseVersion, operations, state, stale, proposedAt, proposer } = edit;
  const { reason, decidedAt, decider, approvedHunks } = edit;
  return {
    id,
    owner: formatBlockOwner(owner),
    label,
    baseVersion,
    operations,
    state,
    stale,
    proposedAt,
    proposer,
    ...(reason === undefined ? {} : { reason }),
    ...(decidedAt === undefined ? {} : { decidedAt }),
    ...(decider === undefined ? {} : { decider }),
    ...(approvedHunks === undefined ? {} : { approvedHunks }),
  };
}
