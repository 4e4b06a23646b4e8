import { randomUUID } from "node:crypto";
import type { TenantId } from "@loci/domain";
import type { ProjectionLease } from "@loci/ledger";
import type { RunningReads } from "./running-reads.ts";
import type { WriterThread } from "./writer-thread.ts";

/** Takes the lease of a projection of a tenant, unless another has it. */
export async function takeLease(
  writer: WriterThread,
  reads: RunningReads,
  tenant: TenantId,
  projection: string,
): Promise<ProjectionLease | undefined> {
  reads.throwIfClosing();
  const lease = { tenant, projection, holder: randomUUID() };
  if (!(await writer.write({ type: "lease", ...lease }))) return undefined;
  return {
    acknowledge: async (through) => {
      reads.throwIfClosing();
      return writer.write({ type: "acknowledge", ...lease, through });
    },
    release: async () => {
      // A lease that outlives the ledger ends when it is opened again.
      if (!reads.isClosing) await writer.write({ type: "release", ...lease });
    },
  };
}
