import type { Receipt } from "@loci/domain";

/** Names of the memories in a receipt, as people read them. */
export type MemoryLabel = (id: string) => string;

/**
 * What a memory cites, else the end of its id; both when several memories cite the same. Ids begin with the time they were
 * made at, so that only their ends tell them apart.
 */
export function memoryLabels({ items }: Pick<Receipt, "items">): MemoryLabel {
  const sources = new Map<string, string>();
  const uses = new Map<string, number>();
  for (const { id, kind, source } of items) {
    if (kind !== "memory" || source === undefined) continue;
    const line = oneLine(source);
    sources.set(id, line);
    uses.set(line, (uses.get(line) ?? 0) + 1);
  }
  return (id) => {
    const source = sources.get(id);
    if (source === undefined) return shortId(id);
    return (uses.get(source) ?? 0) > 1 ? `${source} ${shortId(id)}` : source;
  };
}

const longestSource = 48;
const longestId = 12;
const idEnd = 8;

function shortId(id: string): string {
  return id.length <= longestId ? id : `…${id.slice(-idEnd)}`;
}

function oneLine(source: string): string {
  const line = source.replaceAll(/\s+/g, " ").trim();
  return line.length <= longestSource ? line : `${line.slice(0, longestSource - 1)}…`;
}
