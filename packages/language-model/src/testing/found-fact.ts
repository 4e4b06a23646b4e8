/**
 * What a model answers to the first call of a capture when it finds one fact.
 *
 * @param fact `text` of the memory, and the `quote` of turn 1 that it rests on
 */
export function foundFact({ text, quote }: { readonly text: string; readonly quote: string }): object {
  return {
    candidates: [
      {
        reasoning: "said so",
        category: "fact",
        text,
        slot: null,
        value: null,
        tags: [],
        dates: [],
        evidence: [{ turn: 1, quote }],
      },
    ],
  };
}
