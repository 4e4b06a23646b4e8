import type { StoredMemory } from "../stored-memory.ts";
import { storedMemoryOf, type VersionRow } from "./rows.ts";
import type { RefsQuery } from "../ledger-memories.ts";

/** What JSON writes as it is: such a text stands in a record just as it stands in the memory. */
const plain = /^[ !#-[\]-~]+$/;

type Wanted = Pick<RefsQuery, "text" | "suits">;

/** What decides which memories a query of refs wants, of those that it finds. */
export function wantedMemory({ text, suits }: Wanted): (stored: StoredMemory) => boolean {
  const wanted = text?.toLowerCase();
  return ({ memory }) =>
    (wanted === undefined || memory.text.toLowerCase().includes(wanted)) && suits?.(memory) !== false;
}

/** The same of rows, without reading more of them than it takes. */
export function wantedVersion(query: Wanted): (row: VersionRow) => StoredMemory | undefined {
  const isWanted = wantedMemory(query);
  const wanted = query.text?.toLowerCase();
  const sought = wanted !== undefined && plain.test(wanted) ? wanted : undefined;
  return (row) => {
    if (sought !== undefined && !row.record.toLowerCase().includes(sought)) return undefined;
    const stored = storedMemoryOf(row);
    return isWanted(stored) ? stored : undefined;
  };
}
