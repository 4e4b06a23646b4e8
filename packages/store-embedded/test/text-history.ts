import { memoryId, type Sequence } from "@loci/domain";
import type { RowChange } from "../src/segments/index-row.ts";
import type { TextContent } from "../src/text/text-content.ts";
import type { TextTenantIndex } from "../src/worker/search-texts.ts";

const refs = 12;

/** The change at a place of the log: rows, newer versions of them, and some deletes. */
export function changeAt(sequence: Sequence): RowChange<TextContent> {
  const ref = memoryId(`00000000-0000-7000-8000-${(sequence % refs).toString(16).padStart(12, "0")}`);
  if (sequence % 7 === 0) return { ref, version: sequence };
  const terms = new Map([
    [`word${sequence % 3}`, 1 + (sequence % 2)],
    [ownWord(sequence), 1],
  ]);
  return {
    ref,
    version: sequence,
    scope: "global",
    fields: { category: "fact" },
    content: { terms, length: 2 + (sequence % 2) },
  };
}

/** A word that only the change at this place has. */
export function ownWord(sequence: Sequence): string {
  return `own${sequence.toString().padStart(5, "0")}`;
}

/** The rows that an index holds, with their versions. */
export function rowsOf(index: TextTenantIndex): readonly string[] {
  const rows = index.head.rows().map(({ ref, version }) => `${ref} ${version}`);
  for (const segment of index.segments)
    for (let row = 0; row < segment.rows; row++)
      if (!segment.isDead(row)) rows.push(`${segment.refs.ref(row)} ${segment.refs.version(row)}`);
  return rows.toSorted();
}

/** The rows of an index that stands at a checkpoint. */
export function expectedRows(checkpoint: Sequence): readonly string[] {
  return [...latestChanges(checkpoint)]
    .filter(({ scope }) => scope !== undefined)
    .map(({ ref, version }) => `${ref} ${version}`)
    .toSorted();
}

/** The words that must be in no file once an index that stood at the checkpoint was compacted. */
export function erasedWords(checkpoint: Sequence): readonly string[] {
  const kept = new Set([...latestChanges(checkpoint)].map(({ version }) => version));
  return Array.from({ length: checkpoint }, (_, at) => at + 1)
    .filter((sequence) => !kept.has(sequence))
    .map(ownWord);
}

function latestChanges(checkpoint: Sequence): Iterable<RowChange<TextContent>> {
  const changes = new Map<string, RowChange<TextContent>>();
  for (let sequence = 1; sequence <= checkpoint; sequence++) changes.set(changeAt(sequence).ref, changeAt(sequence));
  return changes.values();
}
