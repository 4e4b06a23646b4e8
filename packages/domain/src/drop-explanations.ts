import type { AbsenceReason, DropReason } from "./recall.ts";

/** A reason of {@link DropReason} or {@link AbsenceReason} for people. */
export interface DropExplanation {
  /** What is so of the memory, as words behind "it": "is forgotten". */
  readonly says: string;
  /** What would bring it in, as a sentence. Absent: asking otherwise does not help. */
  readonly helps?: string | undefined;
}

const otherWords = "A question in the words of the memory finds it.";

/**
 * Why a memory is not among the hits of a recall, in the words of every program that tells it. They name no option or field: each
 * program calls those otherwise.
 */
export const dropExplanations: Readonly<Record<DropReason | AbsenceReason, DropExplanation>> = {
  OTHER_SCOPE: { says: "is in none of the scopes that are asked, or there is none that this key may read" },
  NOT_RECORDED_THEN: { says: "had not been recorded by then" },
  FILTERED_OUT: {
    says: "is left out by the categories or the filter of the question",
    helps: "A question without them can find it.",
  },
  NOT_A_CANDIDATE: {
    says: "was not found: neither its words nor its meaning are among those nearest to the question",
    helps: otherWords,
  },
  DELETED: { says: "is forgotten" },
  NOT_ACTIVE: { says: "waits for a person's approval", helps: "Once it is approved it can be recalled." },
  SUPERSEDED: { says: "was replaced by a newer memory" },
  EXPIRED: { says: "has expired" },
  NOT_VALID_THEN: { says: "is not true any more at the time that is asked for, or not yet" },
  BELOW_RELEVANCE_FLOOR: { says: "does not come close enough to the question", helps: otherWords },
  OVERRIDDEN_BY_SCOPE: { says: "is overridden by the value of a nearer scope" },
  IN_HISTORY: { says: "stands in the conversation already" },
  IN_BLOCK: { says: "stands in a block of the context already" },
  REPEATS_QUERY: { says: "asks the same question" },
  NO_ANSWER: { says: "says only that its speaker does not know" },
  NEAR_DUPLICATE: { says: "says what a hit says already" },
  CATEGORY_SHARE: {
    says: "is one too many of its category, of which others are better",
    helps: "A question for its category alone brings it.",
  },
  SOURCE_SHARE: { says: "is one too many of its source, of which others are better" },
  OVER_LIMIT: { says: "is relevant, but others are better and there is a limit", helps: "A higher limit brings it." },
  OVER_TOKENS: {
    says: "is relevant, but better ones fill the tokens",
    helps: "A higher limit of tokens brings it.",
  },
};

/** The explanation of a reason that may come of a newer server. `undefined`: it is not known here. */
export function explanationOf(reason: string): DropExplanation | undefined {
  return Object.hasOwn(dropExplanations, reason)
    ? dropExplanations[reason as keyof typeof dropExplanations]
    : undefined;
}
