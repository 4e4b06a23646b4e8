import { formatScope, type MemoryId } from "@loci/domain";
import { evidenceFamily, type Ledger, type LogEntry, type StoredMemory, type StoredResource } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import type { EvidenceRecord } from "../capture/commit-capture.ts";
import type { LineContent, LineSource } from "./line-source.ts";

/** A place that a memory rests on. Of a memory that is not exported nothing is told. */
export function evidenceLines(
  { cited, permits }: LineSource,
  entry: LogEntry,
  { ref, scope, version, state }: StoredResource,
): readonly LineContent[] {
  if (entry.version !== version || state === undefined) return [];
  const { memory, session, turn, start, end, at, capture } = state as EvidenceRecord;
  if (!permits(session.scope)) return [];
  const found = cited.get(memory);
  if (found === undefined || found.memory.state === "deleted") return [];
  const source = { scope: formatScope(session.scope), id: session.id };
  const fields = { id: ref, scope: formatScope(scope), memory, session: source, turn, start, end, at, capture };
  return [{ type: "evidence", fields }];
}

/** The memories that rest on places among these resources. */
export async function citedMemories(
  ledger: Ledger,
  { principal: { tenant }, signal }: Call,
  resources: Iterable<StoredResource>,
): Promise<ReadonlyMap<MemoryId, StoredMemory>> {
  const cited = new Set<MemoryId>();
  for (const { family, state } of resources)
    if (family === evidenceFamily && state !== undefined) cited.add((state as EvidenceRecord).memory);
  return cited.size === 0 ? new Map() : ledger.memories(tenant, [...cited], { signal });
}
