import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Memory, MemoryState, Origin, type Provenance, ProvenanceKind, Trust, TurnRole } from "@loci/api-web";
import { scopeText } from "../../text/scopes.ts";
import { millisecondsOf } from "../../text/times.ts";
import { wordOf } from "../../text/words.ts";

/** What `loci import` knows such lines by. */
const lineFormat = "loci-memory-1";

/** A memory as `loci export` writes it: a JSON object on one line, without what it does not have. */
export function exportedLine(memory: Memory): string {
  const { id, text, category, key, importance, confidence, isStatic, isPinned, tags, slot, slotValue } = memory;
  const { provenance, metadata, version, supersededBy, approvedBy, usage } = memory;
  return JSON.stringify({
    format: lineFormat,
    id,
    text,
    category,
    key,
    importance,
    confidence,
    isStatic,
    isPinned,
    tags,
    slot,
    slotValue,
    origin: wordIn(Origin, memory.origin),
    provenance: provenance === undefined ? undefined : source(provenance),
    trust: wordIn(Trust, memory.trust),
    metadata: Object.fromEntries(Object.entries(metadata).map(([name, { kind }]) => [name, kind.value])),
    createdAt: instant(memory.createTime),
    updatedAt: instant(memory.updateTime),
    validFrom: instant(memory.validFrom),
    validTo: instant(memory.validTo),
    expiresAt: instant(memory.expireTime),
    version: Number(version),
    supersededBy,
    state: wordIn(MemoryState, memory.state),
    approvedBy,
    approvedAt: instant(memory.approveTime),
    scope: scopeText(memory.scope),
    recordedAt: instant(memory.recordTime),
    usage: { accessCount: Number(usage?.accessCount ?? 0), lastAccessedAt: instant(usage?.lastAccessTime) },
  });
}

function source({ sourceId, kind, confidence, position, speaker, role, createTime, retrievalScore }: Provenance) {
  return {
    sourceId,
    kind: wordIn(ProvenanceKind, kind),
    confidence,
    position: position === undefined ? undefined : Number(position),
    speaker,
    role: role === TurnRole.UNSPECIFIED ? undefined : wordIn(TurnRole, role),
    createdAt: instant(createTime),
    retrievalScore,
  };
}

function instant(time: Timestamp | undefined): number | undefined {
  return time === undefined ? undefined : millisecondsOf(time);
}

/** The name of a value, as programs write it. */
function wordIn(enumeration: Readonly<Record<string, number>>, value: number): string {
  return wordOf(enumeration, value).replaceAll(" ", "_");
}
