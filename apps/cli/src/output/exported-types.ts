import { type ExportedType, exportedTypes } from "@loci/domain";
import { sumOf, type TypeCounts } from "../files/import-export.ts";
import { counted } from "./format-text.ts";

/** What lines of each type are called: one, several, and in JSON. */
const names: Readonly<Record<ExportedType, readonly [one: string, several: string, field: string]>> = {
  memory: ["memory", "memories", "memories"],
  blockSchema: ["form of blocks", "forms of blocks", "blockSchemas"],
  block: ["version of a block", "versions of blocks", "blockVersions"],
  edit: ["edit", "edits", "edits"],
  session: ["session", "sessions", "sessions"],
  turn: ["turn", "turns", "turns"],
  turnState: ["turn state", "turn states", "turnStates"],
  capture: ["capture", "captures", "captures"],
  evidence: ["place that a memory rests on", "places that memories rest on", "evidence"],
};

/** `2 memories, 1 session, 3 turns`. */
export function typesInWords(counts: TypeCounts): string {
  const found = exportedTypes.filter((type) => (counts[type] ?? 0) > 0);
  if (sumOf(counts) === 0) return "0 memories";
  return found.map((type) => counted(counts[type] ?? 0, names[type][0], names[type][1])).join(", ");
}

/** The same as fields: memories always, the others where there are any. */
export function typesAsFields(counts: TypeCounts): Readonly<Record<string, number>> {
  const found = exportedTypes.filter((type) => type === "memory" || (counts[type] ?? 0) > 0);
  return Object.fromEntries(found.map((type) => [names[type][2], counts[type] ?? 0]));
}
