import type { DatabaseSync } from "node:sqlite";
import type { LedgerEncryption } from "@loci/ledger";
import type { LedgerSealing } from "@loci/ledger/sql";
import type { RunningReads } from "../running-reads.ts";
import type { WriterThread } from "../writer-thread.ts";
import { countSealedRows } from "./count-sealed-rows.ts";

export interface LedgerEncryptionParts {
  readonly sealing: LedgerSealing;
  readonly writer: WriterThread;
  readonly reads: RunningReads;
  /** Reads what concerns all tenants. */
  readonly overview: DatabaseSync;
}

/** The encryption of a ledger; `undefined` when nothing in it is encrypted. */
export function ledgerEncryption({
  sealing,
  writer,
  reads,
  overview,
}: LedgerEncryptionParts): LedgerEncryption | undefined {
  const { fields, columns } = sealing;
  if (fields === undefined) return undefined;
  return {
    currentKey: fields.current,
    blinding: columns.keyId,
    blinded: (tenant, kind, word) => fields.blinded(columns.keyId, tenant, kind, word),
    rows: (call) => reads.run(call, (pace) => countSealedRows(overview, pace)),
    reseal: async (from, call) => {
      reads.throwIfClosing();
      return writer.write({ type: "reseal", from }, call);
    },
    retireOtherKeys: async (pass, call) => {
      reads.throwIfClosing();
      return writer.write({ type: "retireKeys", pass }, call);
    },
  };
}
