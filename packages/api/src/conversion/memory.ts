import type { Etag, Memory, MemoryId, MemoryUsage, MemoryWarning } from "@loci/domain";
import {
  type Memory as ProtoMemory,
  type MemoryUsage as ProtoMemoryUsage,
  type MemoryWarning as ProtoMemoryWarning,
  Repeat as ProtoRepeat,
} from "../gen/loci/v1/memory.ts";
import { instantFromProto, instantToProto, optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { embeddingStates, memoryStates, origins, trusts } from "./memory-words.ts";
import { metadataFromProto, metadataToProto } from "./metadata.ts";
import { provenance } from "./provenance.ts";
import { int64FromProto, required, withoutUndefined } from "./read-value.ts";
import { keptScopeFromProto, keptScopeToProto } from "./scope.ts";
import { optionally } from "./writable-value.ts";

/** A memory as the engine returned it. */
export function memoryToProto(memory: Memory): ProtoMemory {
  return {
    id: memory.id,
    text: memory.text,
    scope: keptScopeToProto(memory.scope, "scope"),
    key: memory.key,
    category: memory.category,
    importance: memory.importance,
    confidence: memory.confidence,
    isStatic: memory.isStatic,
    isPinned: memory.isPinned,
    tags: [...memory.tags],
    slot: memory.slot,
    slotValue: memory.slotValue,
    approvedBy: memory.approvedBy,
    approveTime: optionalInstantToProto(memory.approvedAt, "approvedAt"),
    origin: origins.toProto(memory.origin, "origin"),
    provenance: optionally(memory.provenance, "provenance", provenance.write),
    trust: trusts.toProto(memory.trust, "trust"),
    metadata: metadataToProto(memory.metadata, "metadata"),
    createTime: instantToProto(memory.createdAt, "createdAt"),
    updateTime: instantToProto(memory.updatedAt, "updatedAt"),
    recordTime: instantToProto(memory.recordedAt, "recordedAt"),
    validFrom: optionalInstantToProto(memory.validFrom, "validFrom"),
    validTo: optionalInstantToProto(memory.validTo, "validTo"),
    expireTime: optionalInstantToProto(memory.expiresAt, "expiresAt"),
    version: BigInt(memory.version),
    etag: memory.etag,
    supersededBy: memory.supersededBy,
    state: memoryStates.toProto(memory.state, "state"),
    usage: usageToProto(memory.usage),
    embedding: embeddingStates.toProto(memory.embedding, "embedding"),
    repeat: ProtoRepeat.UNSPECIFIED,
    warnings: (memory.warnings ?? []).map(({ reason, message, advice }) => ({ reason, message, advice })),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function memoryFromProto(message: ProtoMemory | undefined, path = "memory"): Memory {
  const memory = required(message, path);
  return withoutUndefined<Memory>({
    id: memory.id as MemoryId,
    text: memory.text,
    category: required(memory.category, `${path}.category`),
    scope: keptScopeFromProto(memory.scope, `${path}.scope`),
    key: memory.key,
    importance: required(memory.importance, `${path}.importance`),
    confidence: required(memory.confidence, `${path}.confidence`),
    isStatic: memory.isStatic ?? false,
    isPinned: memory.isPinned,
    tags: memory.tags,
    slot: memory.slot,
    slotValue: memory.slotValue,
    approvedBy: memory.approvedBy,
    approvedAt: optionalInstantFromProto(memory.approveTime, `${path}.approvedAt`),
    origin: origins.fromProto(memory.origin, `${path}.origin`),
    provenance: optionally(memory.provenance, `${path}.provenance`, provenance.read),
    trust: trusts.fromProto(memory.trust, `${path}.trust`),
    metadata: metadataFromProto(memory.metadata, `${path}.metadata`),
    createdAt: instantFromProto(memory.createTime, `${path}.createdAt`),
    updatedAt: instantFromProto(memory.updateTime, `${path}.updatedAt`),
    validFrom: optionalInstantFromProto(memory.validFrom, `${path}.validFrom`),
    validTo: optionalInstantFromProto(memory.validTo, `${path}.validTo`),
    expiresAt: optionalInstantFromProto(memory.expireTime, `${path}.expiresAt`),
    version: int64FromProto(memory.version, `${path}.version`),
    supersededBy: memory.supersededBy as MemoryId | undefined,
    state: memoryStates.fromProto(memory.state, `${path}.state`),
    etag: memory.etag as Etag,
    recordedAt: instantFromProto(memory.recordTime, `${path}.recordedAt`),
    usage: usageFromProto(required(memory.usage, `${path}.usage`), `${path}.usage`),
    embedding: embeddingStates.fromProto(memory.embedding, `${path}.embedding`),
    warnings: memory.warnings.length === 0 ? undefined : memory.warnings.map(warningFromProto),
  });
}

/** @throws LociError as {@link memoryFromProto} */
export function memoriesFromProto(messages: readonly ProtoMemory[]): readonly Memory[] {
  return messages.map((message, index) => memoryFromProto(message, `memories[${index}]`));
}

/** A server of a later version may know more reasons. */
function warningFromProto({ reason, message, advice }: ProtoMemoryWarning): MemoryWarning {
  return { reason: reason as MemoryWarning["reason"], message, advice };
}

function usageToProto(usage: MemoryUsage): ProtoMemoryUsage {
  return {
    accessCount: BigInt(usage.accessCount),
    lastAccessTime: optionalInstantToProto(usage.lastAccessedAt, "usage.lastAccessedAt"),
  };
}

function usageFromProto(usage: ProtoMemoryUsage, field: string): MemoryUsage {
  return withoutUndefined({
    accessCount: int64FromProto(usage.accessCount, `${field}.accessCount`),
    lastAccessedAt: optionalInstantFromProto(usage.lastAccessTime, `${field}.lastAccessedAt`),
  });
}
