import { LociError } from "@loci/domain";
import type { StoredBlock } from "./block-records.ts";

/** @throws LociError `BLOCK_READ_ONLY` for a block whose policy lets nobody change it */
export function refuseReadOnly({ state: { policy, label } }: StoredBlock): void {
  if (policy !== "read_only") return;
  throw new LociError("BLOCK_READ_ONLY", {
    message: `The block ${label} is read only.`,
    resource: label,
    advice: "Ask an administrator to change its policy.",
  });
}
