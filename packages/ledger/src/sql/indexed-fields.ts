import type { Instant, MemoryRecord, Scope } from "@loci/domain";
import { textKeyOf } from "./text-key.ts";

/** What memories are found by. */
export interface IndexedFields {
  readonly scope: Scope;
  readonly active: boolean;
  readonly category: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly sourceId: string | null;
  readonly position: number | null;
  readonly slot: string | null;
  readonly textKey: string;
  /** In lower case, each once. */
  readonly tags: readonly string[];
}

/** What the indexes of a ledger know of a memory. */
export function indexedFieldsOf(memory: MemoryRecord): IndexedFields {
  return {
    scope: memory.scope,
    active: memory.state === "active",
    category: memory.category,
    createdAt: memory.createdAt,
    expiresAt: memory.expiresAt ?? null,
    sourceId: memory.provenance?.sourceId ?? null,
    position: memory.provenance?.position ?? null,
    slot: memory.slot ?? null,
    textKey: textKeyOf(memory.text),
    tags: lowerCaseTags(memory.tags),
  };
}

/** Tags as they are compared: in lower case, each once. */
export function lowerCaseTags(tags: readonly string[]): readonly string[] {
  return tags.length === 0 ? tags : [...new Set(tags.map((tag) => tag.toLowerCase()))];
}
