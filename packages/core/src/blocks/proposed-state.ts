import { type BlockPolicy, LociError } from "@loci/domain";

/**
 * What the policy of a block makes of an edit that is proposed: it waits for somebody, or takes effect at once.
 *
 * @throws LociError `BLOCK_READ_ONLY` when nothing may be changed
 */
export function proposedState(policy: BlockPolicy, label: string): "pending" | "approved" {
  if (policy !== "read_only") return policy === "auto" ? "approved" : "pending";
  throw new LociError("BLOCK_READ_ONLY", {
    message: `The block ${label} is read only.`,
    resource: label,
    advice: "Ask an administrator to change its policy.",
  });
}
