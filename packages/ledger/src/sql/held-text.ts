import type { StoredMemory } from "../stored-memory.ts";
import { storedMemoryOf, type VersionRow } from "./rows.ts";
import type { RefsQuery } from "../ledger-memories.ts";

/** What JSON writes as it is: such a text stands in a record just as it stands in the memory. */
const plain = /^[ !#-[\]-~]+$/;

/** What decides which versions a query of refs wants, without reading more of them than it takes. */
export function wantedVersion({
  text,
  suits,
}: Pick<RefsQuery, "text" | "suits">): (row: VersionRow) => StoredMemory | undefined {
  const wanted = text?.toLowerCase();
  const isPlain = wanted !== undefined && plain.test(wanted);
  return (row) => {
    if (isPlain && !row.record.toLowerCase().includes(wanted)) return undefined;
    const stored = storedMemoryOf(row);
    const holdsText = wanted === undefined || stored.memory.text.toLowerCase().includes(wanted);
    return holdsText && suits?.(stored.memory) !== false ? stored : undefined;
  };
}
