import type { Instant, MemoryRecord, Scope } from "@loci/domain";
import { standingWeight } from "../standing-weight.ts";
import { textKeyOf } from "./text-key.ts";

/** What memories are found by. */
export interface IndexedFields {
  readonly scope: Scope;
  readonly state: MemoryRecord["state"];
  readonly active: boolean;
  readonly category: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly sourceId: string | null;
  readonly position: number | null;
  readonly slot: string | null;
  /** Of a memory that was not forgotten. */
  readonly key: string | null;
  readonly textKey: string;
  /** In lower case, each once. */
  readonly tags: readonly string[];
  /** Of an active memory that stands in every context of its scope, its weight among them. */
  readonly standing: number | null;
}

/**
 * What the indexes of a ledger know of a memory.
 *
 * @param keyOf makes the key of its text, or knows it
 */
export function indexedFieldsOf(memory: MemoryRecord, keyOf: (text: string) => string = textKeyOf): IndexedFields {
  return {
    scope: memory.scope,
    state: memory.state,
    active: memory.state === "active",
    category: memory.category,
    createdAt: memory.createdAt,
    expiresAt: memory.expiresAt ?? null,
    sourceId: memory.provenance?.sourceId ?? null,
    position: memory.provenance?.position ?? null,
    slot: memory.slot ?? null,
    key: memory.state === "deleted" ? null : (memory.key ?? null),
    textKey: keyOf(memory.text),
    tags: lowerCaseTags(memory.tags),
    standing: memory.state === "active" ? (standingWeight(memory) ?? null) : null,
  };
}

/** Tags as they are compared: in lower case, each once. */
export function lowerCaseTags(tags: readonly string[]): readonly string[] {
  return tags.length === 0 ? tags : [...new Set(tags.map((tag) => tag.toLowerCase()))];
}
