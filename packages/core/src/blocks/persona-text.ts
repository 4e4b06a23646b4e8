import { filledEntries, oneLine, taggedLine } from "./tagged-line.ts";

/** The values of a persona block, in the order of its schema. What is absent or empty is not shown. */
export interface PersonaValues {
  readonly name?: string | null;
  readonly role?: string | null;
  readonly capabilities?: readonly string[];
  readonly expertise?: readonly string[];
  readonly tone?: string | null;
  readonly verbosity?: string | null;
  readonly constraints?: readonly string[];
}

/** What a context shows of a persona block: a line for each part that is not empty, with no line break inside. */
export function personaText(values: PersonaValues): string {
  return [
    taggedLine("IDENTITY", filledEntries([oneLine(values.name), oneLine(values.role)]).join(" | ")),
    taggedLine("CAPABILITIES", filledEntries(values.capabilities).slice(0, 5).join(", ")),
    taggedLine("EXPERTISE", filledEntries(values.expertise).slice(0, 4).join(", ")),
    taggedLine("STYLE", filledEntries([oneLine(values.tone), oneLine(values.verbosity)]).join(", ")),
    taggedLine("CONSTRAINTS", filledEntries(values.constraints).slice(0, 3).join("; ")),
  ]
    .filter((line) => line !== "")
    .join("\n");
}
