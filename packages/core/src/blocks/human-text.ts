import { type ArchivedEntry, blockValue, type BlockValues } from "@loci/domain";
import { shownEntries, shownString, taggedLine } from "./shown-parts.ts";

/** How many of the newest entries of each list a context shows. */
const shownCounts = { preferences: 4, facts: 3, contextNotes: 3 };

/** The text of a human block in a context: who the user is, what is being done, the newest of what is known. */
export function humanText(values: BlockValues): string {
  return humanLines(values, shownCounts);
}

/** The text with every entry the block has, as it is archived before entries go. */
export function wholeHumanText(values: BlockValues): string {
  return humanLines(values, { preferences: Infinity, facts: Infinity, contextNotes: Infinity });
}

/** The list entries that a human block holds and {@link humanText} leaves out: of each list the oldest. */
export function entriesOutOfSight(values: BlockValues): readonly ArchivedEntry[] {
  return Object.entries(shownCounts).flatMap(([field, count]) => {
    const value = blockValue(values, field);
    if (!Array.isArray(value)) return [];
    const entries = (value as readonly string[]).filter(
      (entry) => shownEntries({ [field]: [entry] }, field).length > 0,
    );
    return entries.slice(0, Math.max(0, entries.length - count)).map((entry) => ({ field, entry }));
  });
}

function humanLines(values: BlockValues, counts: Readonly<Record<keyof typeof shownCounts, number>>): string {
  const newest = (field: keyof typeof shownCounts): readonly string[] => {
    const entries = shownEntries(values, field);
    return entries.slice(Math.max(0, entries.length - counts[field]));
  };
  const state = shownString(values, "sessionState");
  return [
    ...taggedLine("USER", [shownString(values, "name"), shownString(values, "role")], " | "),
    ...taggedLine("TASK", [shownString(values, "currentTask")], ""),
    ...taggedLine("STATE", [state === "idle" ? "" : state], ""),
    ...taggedLine("PREFS", newest("preferences"), "; "),
    ...taggedLine("FACTS", newest("facts"), "; "),
    ...taggedLine("CONTEXT", newest("contextNotes"), "; "),
  ].join("\n");
}
