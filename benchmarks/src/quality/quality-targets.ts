/** Evidence among the best 5, 10 and 20, in percent, and what a plain search was published to find. */
export interface EvidenceTarget {
  readonly target: readonly number[];
  readonly published: readonly number[];
}

/** By set of conversations. The sample has none of its own: it is held to the plain search of the same run. */
export const evidenceTargets: Readonly<Record<string, EvidenceTarget>> = {
  locomo: { target: [73, 81, 86], published: [62.3, 72.9, 78.4] },
  realmem: { target: [62, 75, 85], published: [58.4, 70.8, 83.2] },
  beam: { target: [52, 62, 70], published: [40.3, 51.1, 62.8] },
};

/** LoCoMo's evidence inside contexts of 512, 1,024 and 2,048 tokens, in percent. */
export const contextTarget: EvidenceTarget = { target: [82, 87, 92], published: [68.6, 76.8, 83.7] };

/** Of the labelled sets: right answers in percent, with the default profile. */
export const labelledTargets = {
  facts: 85,
  offTopic: 80,
  replaced: 97,
  latest: 90,
  own: 90,
  kindsInEnglish: 90,
  kindsInOtherLanguages: 85,
  livedIn: 80,
} as const;

/** What the default profile has reached of them, by the test's name: it must not fall back. */
export const labelledReached: Readonly<Record<string, number>> = {
  "right one in the top 3": 85,
  "off-topic: nothing found": 80,
  "newer before older, or both where both hold": 97,
  "newest of the topic first": 90,
  "in English, right one in the top 3 of its store": 94,
  "in other languages, right one in the top 3 of its store": 90,
  "an answer in the top 3 of its store": 74,
  // The documents among them change: 75 when it was measured first, 73 and then 70 some documents later.
  "an answer in the top 3": 70,
};

/** Points that a set may fall below its target in a test: one or two questions that another embedder's rounding turns. */
export const labelledMargin = 2;

/** Names of tests in `labelled-quality.system.test.ts` that fail today. They are run, and must fail until they are struck off. */
export const notYetReached: ReadonlySet<string> = new Set([
  "own, an answer in the top 3: the default profile reaches the target",
  "lived-in, an answer in the top 3 of its store: the default profile reaches the target",
]);
