import type { RecallCandidate } from "@loci/core";
import { expect, test } from "vitest";
import { limitThatFills } from "../src/recall/limit-that-fills.ts";

const candidates = (count: number, text: string, category = "fact"): Pick<RecallCandidate, "memory">[] =>
  Array.from({ length: count }, () => ({ memory: { text, category } as RecallCandidate["memory"] }));
const limits = { limit: 60, maxTokens: 5_000, maxTokensPerMemory: 400 };
const hundredTokens = "Pears. ".repeat(50) + "x".repeat(2);

test.each([
  ["as many as the tokens have room for, and a quarter more", candidates(200, hundredTokens), 63],
  ["shorter ones are more", candidates(200, "Pears are picked in August, by hand, from ladders.    ".repeat(4)), 95],
  ["no more than half of the candidates", candidates(200, "Pears."), 100],
  ["at least what was asked for", candidates(200, hundredTokens.repeat(3)), 60],
  ["as many as were asked for among few", candidates(100, "Pears."), 60],
  ["what is cut counts as it is shown", candidates(200, "x".repeat(100_000)), 60],
  ["a text of other letters by its bytes", candidates(200, "梨".repeat(100)), 72],
  ["procedures have places of their own", [...candidates(200, "Pears.", "procedure"), ...candidates(130, "P.")], 65],
  ["none", [], 60],
])("%s", (_, given, expected) => expect(limitThatFills(given, limits)).toBe(expected));
