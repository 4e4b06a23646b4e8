import { type MemoryId, type MemoryPatch, optional } from "@loci/domain";
import type { Value } from "../gen/loci/v1/filter.ts";
import type { Memory as ProtoMemory } from "../gen/loci/v1/memory.ts";
import { categoryToProto } from "./categories.ts";
import { identifierToProto } from "./identifier.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { metadataFromProto, metadataToProto } from "./metadata.ts";
import { provenance } from "./provenance.ts";
import { field, type FieldForms, listOf, optionalList, optionalPart, sameField } from "./request-form.ts";
import { same, writableBoolean, writableDouble, writableText } from "./writable-value.ts";

/** What both a new memory and a change of one say, each where it is said. */
export type MemoryContent = { readonly [Name in keyof MemoryPatch]: Exclude<MemoryPatch[Name], null> };

export const memoryContent: FieldForms<MemoryContent, ProtoMemory> = {
  text: field("text", (text, path) => (text === undefined ? "" : writableText(text, path)), same<string>),
  category: sameField("category", optional(categoryToProto)),
  importance: sameField("importance", optional(writableDouble)),
  confidence: sameField("confidence", optional(writableDouble)),
  isStatic: sameField("isStatic", optional(writableBoolean)),
  isPinned: sameField("isPinned", optional(writableBoolean)),
  tags: optionalList("tags", listOf({ write: tagToProto, read: same }, "INVALID_TAGS")),
  slot: sameField("slot", optional(identifierToProto)),
  provenance: optionalPart("provenance", provenance),
  metadata: field(
    "metadata",
    (metadata, path) => (metadata === undefined ? new Map<string, Value>() : metadataToProto(metadata, path)),
    (metadata: ProtoMemory["metadata"], path) => (metadata.size === 0 ? undefined : metadataFromProto(metadata, path)),
  ),
  validFrom: field("validFrom", optionalInstantToProto, optionalInstantFromProto),
  validTo: field("validTo", optionalInstantToProto, optionalInstantFromProto),
  expiresAt: field("expireTime", optionalInstantToProto, optionalInstantFromProto),
  supersededBy: field(
    "supersededBy",
    optional(identifierToProto),
    (id: string | undefined) => id as MemoryId | undefined,
  ),
};

function tagToProto(tag: string, path: string): string {
  return writableText(tag, path, "INVALID_TAGS");
}
