import { checkFields, type EtagPrecondition, fieldsOf, LociError, type MemoryId, type MemoryPatch } from "@loci/domain";
import type { Memory as ProtoMemory } from "../gen/loci/v1/memory.ts";
import type { UpdateMemoryRequest } from "../gen/loci/v1/memory_service.ts";
import { optionalInstantFromProto } from "./instant.ts";
import { identifierToProto, memoryContentToProto } from "./memory-content.ts";
import { metadataFromProto } from "./metadata.ts";
import { etagToProto } from "./precondition.ts";
import { provenanceFromProto } from "./provenance.ts";
import { required } from "./read-value.ts";
import { optionally } from "./writable-value.ts";

const patchFields = fieldsOf<MemoryPatch>({
  text: true,
  category: true,
  importance: true,
  confidence: true,
  isStatic: true,
  isPinned: true,
  tags: true,
  slot: true,
  provenance: true,
  metadata: true,
  validFrom: true,
  validTo: true,
  expiresAt: true,
  supersededBy: true,
});

/** Fields of a patch by their path in an update mask. */
const namesByPath: ReadonlyMap<string, keyof MemoryPatch> = new Map([
  ["text", "text"],
  ["category", "category"],
  ["importance", "importance"],
  ["confidence", "confidence"],
  ["is_static", "isStatic"],
  ["is_pinned", "isPinned"],
  ["tags", "tags"],
  ["slot", "slot"],
  ["provenance", "provenance"],
  ["metadata", "metadata"],
  ["valid_from", "validFrom"],
  ["valid_to", "validTo"],
  ["expire_time", "expiresAt"],
  ["superseded_by", "supersededBy"],
]);

const pathsByName: ReadonlyMap<string, string> = new Map(Array.from(namesByPath, ([path, name]) => [name, path]));

/** What `update` takes, as one value. */
export interface MemoryUpdate {
  readonly id: MemoryId;
  readonly patch: MemoryPatch;
  readonly precondition: EtagPrecondition;
}

/** @throws LociError with the reason the engine has for the field at fault */
export function memoryUpdateToProto({ id, patch, precondition }: MemoryUpdate): Omit<UpdateMemoryRequest, "requestId"> {
  checkFields(patch, patchFields, "patch");
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const { slot, provenance, validFrom, validTo, expiresAt, supersededBy, ...rest } = patch;
  return {
    memory: {
      ...memoryContentToProto(
        {
          ...rest,
          slot: slot ?? undefined,
          provenance: provenance ?? undefined,
          validFrom: validFrom ?? undefined,
          validTo: validTo ?? undefined,
          expiresAt: expiresAt ?? undefined,
          supersededBy: supersededBy ?? undefined,
        },
        "",
      ),
      id: identifierToProto(id, "id"),
      etag: etagToProto(precondition),
    },
    updateMask: given.map(([name]) => pathsByName.get(name) as string),
  };
}

/** @throws LociError with the field at fault; `INVALID_REQUEST` for a path that cannot be changed or removed */
export function memoryUpdateFromProto(request: UpdateMemoryRequest): MemoryUpdate {
  const memory = required(request.memory, "memory");
  const names = required(request.updateMask, "updateMask").map(
    (path, index) => namesByPath.get(path) ?? refuseUnknownPath(path, `updateMask[${index}]`),
  );
  return {
    id: memory.id as MemoryId,
    patch: Object.fromEntries(names.map((name) => [name, readers[name](memory)])),
    precondition: { etag: memory.etag },
  };
}

const readers: Readonly<Record<keyof MemoryPatch, (memory: ProtoMemory) => unknown>> = {
  text: (memory) => memory.text,
  category: (memory) => memory.category ?? refuseRemoval("category"),
  importance: (memory) => memory.importance ?? refuseRemoval("importance"),
  confidence: (memory) => memory.confidence ?? refuseRemoval("confidence"),
  isStatic: (memory) => memory.isStatic ?? false,
  isPinned: (memory) => memory.isPinned ?? false,
  tags: (memory) => memory.tags,
  slot: (memory) => memory.slot ?? null,
  provenance: (memory) => optionally(memory.provenance, "provenance", provenanceFromProto) ?? null,
  metadata: (memory) => metadataFromProto(memory.metadata, "metadata"),
  validFrom: (memory) => optionalInstantFromProto(memory.validFrom, "validFrom") ?? null,
  validTo: (memory) => optionalInstantFromProto(memory.validTo, "validTo") ?? null,
  expiresAt: (memory) => optionalInstantFromProto(memory.expireTime, "expiresAt") ?? null,
  supersededBy: (memory) => memory.supersededBy ?? null,
};

function refuseUnknownPath(path: string, field: string): never {
  throw new LociError("INVALID_REQUEST", {
    message: `${field} is ${JSON.stringify(path.slice(0, 80))}, which cannot be changed.`,
    field,
    advice: `Use paths among ${[...namesByPath.keys()].join(", ")}.`,
  });
}

function refuseRemoval(field: string): never {
  throw new LociError("INVALID_REQUEST", {
    message: `updateMask names ${field}, which the memory does not have and which cannot be removed.`,
    field,
    advice: `Set ${field}, or leave it out of updateMask.`,
  });
}
