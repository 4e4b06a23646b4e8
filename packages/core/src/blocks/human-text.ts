import { filledEntries, oneLine, taggedLine } from "./tagged-line.ts";

/** The values of a human block, in the order of its schema. What is absent or empty is not known. */
export interface HumanValues {
  readonly name?: string | null;
  readonly role?: string | null;
  readonly currentTask?: string | null;
  /** `idle` is not shown. */
  readonly sessionState?: string | null;
  /** Oldest first, as the two lists after it. */
  readonly preferences?: readonly string[];
  readonly facts?: readonly string[];
  readonly contextNotes?: readonly string[];
}

/** How many of the newest entries of each list are shown. */
export interface ShownEntries {
  readonly preferences: number;
  readonly facts: number;
  readonly contextNotes: number;
}

const usuallyShown: ShownEntries = { preferences: 4, facts: 3, contextNotes: 3 };

/** A block without its limits on what is shown: for archives, which keep everything. */
export const everyEntry: ShownEntries = { preferences: Infinity, facts: Infinity, contextNotes: Infinity };

/** What a context shows of a human block: a line for each part that is not empty, with no line break inside. */
export function humanText(values: HumanValues, shown: ShownEntries = usuallyShown): string {
  const state = oneLine(values.sessionState);
  return [
    taggedLine("USER", filledEntries([oneLine(values.name), oneLine(values.role)]).join(" | ")),
    taggedLine("TASK", oneLine(values.currentTask)),
    taggedLine("STATE", state === "idle" ? "" : state),
    taggedLine("PREFS", newest(values.preferences, shown.preferences)),
    taggedLine("FACTS", newest(values.facts, shown.facts)),
    taggedLine("CONTEXT", newest(values.contextNotes, shown.contextNotes)),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function newest(entries: readonly string[] | undefined, count: number): string {
  return filledEntries(entries).slice(-count).join("; ");
}
