import { LociError } from "@loci/domain";
import { maxVectors } from "./vector-memory.ts";

/**
 * Says no before memory for more vectors is asked for, so that the index stays as it is.
 *
 * @param held vectors of the tenant's index
 * @param more vectors that come
 * @throws LociError `UNSUPPORTED_OPERATION` when one index cannot address them all
 */
export function checkRoom(dimensions: number, held: number, more: number): void {
  const most = maxVectors(dimensions);
  if (held + more <= most) return;
  throw new LociError("UNSUPPORTED_OPERATION", {
    message: `The embedded index holds at most ${most} vectors of ${dimensions} dimensions a tenant, as WebAssembly addresses 4 GiB; there would be ${held + more}.`,
    advice:
      "Move to @loci/store-lancedb on one machine, or to @loci/store-pgvector; both are built from the same ledger.",
  });
}
