import type { Ref, TenantId } from "@loci/domain";
import type { Sealing } from "@loci/encryption";
import {
  openCheckpointText,
  openDetails,
  openEntry,
  openState,
  sealCheckpoint,
  sealDetails,
  sealEntry,
  sealState,
} from "./sealed-fields.ts";

/** Values of a row, by column, with the tenant by name. */
export type SealedRow = Readonly<Record<string, string | number | null>>;

/** A table with texts that are sealed. */
export interface SealedTable {
  readonly name: string;
  /** What its rows are in the order of. The tenant comes first. */
  readonly key: readonly string[];
  /** The columns that are sealed. */
  readonly fields: readonly string[];
  /** Further columns that it takes to open and to seal them. */
  readonly besides: readonly string[];
  /** The fields sealed under the current key, whatever they were before. @throws LociError as `openEntry` */
  reseal(sealing: Sealing, tenant: TenantId, row: SealedRow): SealedRow;
}

/** Every table with texts that are sealed. */
export const sealedTables: readonly SealedTable[] = [
  {
    name: "changes",
    key: ["tenant", "sequence"],
    fields: ["record", "reason"],
    besides: ["family"],
    reseal: (sealing, tenant, row) => {
      const sequence = Number(row["sequence"]);
      const texts = { sequence, record: textOf(row["record"]), reason: textOf(row["reason"]) };
      const { record, reason } = openEntry(sealing, tenant, texts);
      return sealEntry(sealing, { tenant, sequence }, String(row["family"]), { record, reason });
    },
  },
  {
    name: "resources",
    key: ["tenant", "ref"],
    fields: ["state"],
    besides: ["version"],
    reseal: (sealing, tenant, row) => {
      const place = { ref: row["ref"] as Ref, version: Number(row["version"]) };
      const { state } = openState(sealing, tenant, { ...place, state: textOf(row["state"]) });
      return { state: sealState(sealing, tenant, place, state) };
    },
  },
  {
    name: "checkpoints",
    key: ["tenant", "ref", "reading", "through"],
    fields: ["outline", "state"],
    besides: [],
    reseal: (sealing, tenant, row) => {
      const owner = { ref: row["ref"] as Ref, reading: String(row["reading"]) };
      const through = Number(row["through"]);
      const open = (field: "outline" | "state"): string =>
        openCheckpointText(sealing, tenant, owner, { through, field, text: String(row[field]) });
      const { outline, state } = sealCheckpoint(sealing, tenant, owner, {
        through,
        outline: open("outline"),
        state: open("state"),
      });
      return { outline, state };
    },
  },
  {
    name: "decisions",
    key: ["tenant", "ref", "activity"],
    fields: ["details"],
    besides: [],
    reseal: (sealing, tenant, row) => {
      const place = { ref: row["ref"] as Ref, activity: String(row["activity"]) };
      const details = openDetails(sealing, tenant, place, String(row["details"]));
      return { details: sealDetails(sealing, tenant, place, details) };
    },
  },
];

function textOf(value: string | number | null | undefined): string | null {
  return typeof value === "string" ? value : null;
}
