import type { AssembledContext } from "@loci/domain";

/** As a server gives it. */
export const assembled: AssembledContext = {
  text: "<system>\nHelp.\n</system>",
  messages: [{ role: "system", content: "Help." }],
  sections: [{ name: "system", content: "Help.", tokens: 2 }],
  receipt: {
    layout: "memoryBlocks",
    profile: "conversation",
    mode: "fill",
    tokenizer: "o200k_base",
    estimated: false,
    window: {
      preset: "8K",
      totalTokens: 8_192,
      sectionsTokens: 6_000,
      queryTokens: 500,
      responseTokens: 1_500,
      safetyBufferTokens: 192,
      unusedTokens: 5_998,
    },
    evaluationTime: 0,
    sections: [],
    items: [],
    droppedCandidates: [],
    stablePrefixHash: "00",
  },
  usage: { totalTokens: 2, messagesTokens: 5, budgetTokens: 6_500, queryTokens: 0, responseTokens: 1_500 },
  warnings: [],
  cache: { stablePrefixHash: "00", stablePrefixTokens: 2, stablePrefixLength: 24 },
  timings: {},
};
