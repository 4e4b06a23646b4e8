import { memoryId, parseScope, type Ref } from "@loci/domain";
import type { IndexUpsert } from "@loci/store";
import type { ClusteredData } from "./clustered-loci.ts";

/** Clustered memories as an index is told of them. */
export function clusteredChanges(
  { memories, file, terms }: ClusteredData,
  first: number,
  count: number,
  version: number,
): readonly IndexUpsert[] {
  return Array.from({ length: count }, (_, at) => {
    const number = first + at;
    return {
      type: "upsert",
      ref: refOf(number),
      version,
      scope: parseScope(memories.scopeNames[memories.scopes[number] as number] ?? ""),
      fields: { category: memories.categories[number] ?? "fact" },
      vectors: [file.read(number, 1)],
      terms: terms.terms(number),
    };
  });
}

export function refOf(number: number): Ref {
  return memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
}

export function numberOf(ref: Ref): number {
  return Number.parseInt(ref.slice(24), 16);
}
