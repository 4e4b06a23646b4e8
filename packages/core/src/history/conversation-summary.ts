/** What a summary says of the part of a conversation that is not shown. Made from untrusted text, and untrusted itself. */
export interface ConversationSummary {
  /** What it was about, in up to five sentences. */
  readonly overview: string;
  /** At most 10, in the order they were made. */
  readonly keyDecisions: readonly string[];
  /** Where the work stands. Empty when nothing says so. */
  readonly currentTaskState: string;
  /** At most 10. */
  readonly remainingQuestions: readonly string[];
  readonly toolsUsed: readonly string[];
  readonly filesModified: readonly string[];
}

/** The most entries a list of a summary holds. */
export const summaryListLimits = {
  keyDecisions: 10,
  remainingQuestions: 10,
  toolsUsed: 20,
  filesModified: 20,
} as const;

export type SummaryList = keyof typeof summaryListLimits;

/** The lists of a summary, in the order they are rendered. */
export const summaryLists: readonly SummaryList[] = [
  "keyDecisions",
  "remainingQuestions",
  "toolsUsed",
  "filesModified",
];

export const emptySummary: ConversationSummary = {
  overview: "",
  keyDecisions: [],
  currentTaskState: "",
  remainingQuestions: [],
  toolsUsed: [],
  filesModified: [],
};

/**
 * A summary of what one summary covers and, behind it, another: the earlier overview, the later state, the lists joined.
 * Where a list would be too long, its oldest entries go.
 */
export function joinSummaries(earlier: ConversationSummary, later: ConversationSummary): ConversationSummary {
  const join = (list: SummaryList): readonly string[] => {
    const known = new Set(earlier[list]);
    return [...earlier[list], ...later[list].filter((entry) => !known.has(entry))].slice(-summaryListLimits[list]);
  };
  return {
    overview: earlier.overview === "" ? later.overview : earlier.overview,
    keyDecisions: join("keyDecisions"),
    currentTaskState: later.currentTaskState === "" ? earlier.currentTaskState : later.currentTaskState,
    // What was asked before the later part began may be answered in it, but nothing here can tell.
    remainingQuestions: join("remainingQuestions"),
    toolsUsed: join("toolsUsed"),
    filesModified: join("filesModified"),
  };
}
