import type { Ref, TenantId } from "@loci/domain";
import type { WriteOperation } from "./write-operation.ts";

/** Memories of one tenant. */
export interface ChangedMemories {
  readonly tenant: TenantId;
  readonly refs: readonly Ref[];
}

/** The memories whose current version or usage an operation may change; `undefined` when there are none. */
export function changedMemories(operation: WriteOperation): ChangedMemories | undefined {
  switch (operation.type) {
    case "commit": {
      const versions = operation.changes.filter(({ type }) => type !== "embeddingRecorded" && type !== "resource");
      return { tenant: operation.tenant, refs: versions.map(({ ref }) => ref) };
    }
    case "recordUsage":
      return { tenant: operation.tenant, refs: operation.entries.map(({ ref }) => ref) };
    case "purge":
      return operation;
    // How often a memory was shown is no part of its usage. A sweep and an upkeep come after the purges, and change no
    // memory that is left.
    case "recordShown":
    case "sweep":
    case "maintain":
    case "reseal":
    case "retireKeys":
    case "modelUsage":
    case "recallMarks":
    case "receipts":
    case "checkpoints":
    case "cache":
    case "setting":
    case "settingIf":
    case "lease":
    case "release":
    case "acknowledge":
    case "resetProjection":
    case "enqueueJob":
    case "claimJob":
    case "renewJob":
    case "finishJob":
    case "cancelJob":
    // What was read of its tenant is forgotten as a whole.
    case "moveTenant":
    case "emptyLog":
    case "hideTenants":
      return undefined;
  }
}
