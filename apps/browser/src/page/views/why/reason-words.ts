/** Reasons of recalls and of assemblies. */
const words: Readonly<Record<string, string>> = {
  BELOW_RELEVANCE_FLOOR: "not close enough to the question",
  CATEGORY_SHARE: "its category has enough places",
  DELETED: "forgotten",
  EXPIRED: "expired",
  FILTERED_OUT: "left out by categories or filter",
  IN_HISTORY: "stands in the conversation already",
  NEAR_DUPLICATE: "says what a better one says",
  NOT_ACTIVE: "not active",
  NOT_A_CANDIDATE: "neither its words nor its meaning brought it in",
  NOT_RECORDED_THEN: "not known then",
  NOT_VALID_THEN: "not true then",
  NO_ANSWER: "says only that its speaker does not know",
  OTHER_SCOPE: "in none of these scopes",
  OVERRIDDEN_BY_SCOPE: "a nearer scope says otherwise",
  OVER_LIMIT: "beyond the number asked for",
  OVER_TOKENS: "no room in the tokens",
  REPEATS_QUERY: "asks the same question",
  SECTION_FULL: "no room in its section",
  SOURCE_SHARE: "its source has enough places",
  SUPERSEDED: "replaced by another",
};

/** Why a memory was left out, in words where there are some, always with the name that programs get. */
export function reasonWords(reason: string): string {
  const known = Object.hasOwn(words, reason) ? words[reason] : undefined;
  return known === undefined ? reason : `${known} (${reason})`;
}
