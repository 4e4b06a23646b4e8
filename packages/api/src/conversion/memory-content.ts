import type { MemoryPatch } from "@loci/domain";
import type { Value } from "../gen/loci/v1/filter.ts";
import { Memory as ProtoMemory } from "../gen/loci/v1/memory.ts";
import { optionalInstantToProto } from "./instant.ts";
import { metadataToProto } from "./metadata.ts";
import { provenanceToProto } from "./provenance.ts";
import { optionally, writableBoolean, writableDouble, writableList, writableText } from "./writable-value.ts";

/** What both a new memory and a change of one say. */
export type MemoryContent = { readonly [Name in keyof MemoryPatch]: Exclude<MemoryPatch[Name], null> };

/**
 * @param path put before the names of fields, such as `inputs[2].`
 * @throws LociError with the reason the engine has for the field at fault
 */
export function memoryContentToProto(content: MemoryContent, path: string): ProtoMemory {
  return {
    ...ProtoMemory.create(),
    text: optionally(content.text, `${path}text`, writableText) ?? "",
    category: optionally(content.category, `${path}category`, categoryToProto),
    importance: optionally(content.importance, `${path}importance`, writableDouble),
    confidence: optionally(content.confidence, `${path}confidence`, writableDouble),
    isStatic: optionally(content.isStatic, `${path}isStatic`, writableBoolean),
    isPinned: optionally(content.isPinned, `${path}isPinned`, writableBoolean),
    tags: optionally(content.tags, `${path}tags`, tagsToProto) ?? [],
    slot: optionally(content.slot, `${path}slot`, identifierToProto),
    provenance: optionally(content.provenance, `${path}provenance`, provenanceToProto),
    metadata: optionally(content.metadata, `${path}metadata`, metadataToProto) ?? new Map<string, Value>(),
    validFrom: optionalInstantToProto(content.validFrom, `${path}validFrom`),
    validTo: optionalInstantToProto(content.validTo, `${path}validTo`),
    expireTime: optionalInstantToProto(content.expiresAt, `${path}expiresAt`),
    supersededBy: optionally(content.supersededBy, `${path}supersededBy`, identifierToProto),
  };
}

export function categoryToProto(category: string, field: string): string {
  return writableText(category, field, "INVALID_CATEGORY");
}

export function identifierToProto(identifier: string, field: string): string {
  return writableText(identifier, field, "INVALID_IDENTIFIER");
}

function tagsToProto(tags: readonly string[], field: string): string[] {
  return writableList(tags, field, "INVALID_TAGS").map((tag, index) =>
    writableText(tag, `${field}[${index}]`, "INVALID_TAGS"),
  );
}
