import type { BlockValues } from "@loci/domain";
import { shownEntries, shownString, taggedLine } from "./shown-parts.ts";

/** The text of a persona block in a context: who the agent is, what it can do, how it speaks, what it must keep to. */
export function personaText(values: BlockValues): string {
  const first = (field: string, count: number): readonly string[] => shownEntries(values, field).slice(0, count);
  return [
    ...taggedLine("IDENTITY", [shownString(values, "name"), shownString(values, "role")], " | "),
    ...taggedLine("CAPABILITIES", first("capabilities", 5), ", "),
    ...taggedLine("EXPERTISE", first("expertise", 4), ", "),
    ...taggedLine("STYLE", [shownString(values, "tone"), shownString(values, "verbosity")], ", "),
    ...taggedLine("CONSTRAINTS", first("constraints", 3), "; "),
  ].join("\n");
}
