import { reciprocalRankFusion } from "@loci/core";
import type { ScoringProfileChanges } from "@loci/domain";
import type { Embedder } from "@loci/embedding";
import type { AskedQuestion } from "./replay.ts";
import { shippedProfiles } from "./shipped-profiles.ts";
import type { Variant } from "./variant.ts";

/** Everything an archive has but recency, which it gives no weight. */
const archive: ScoringProfileChanges = { weights: { relevance: 0.7, recency: 0 } };

/** What is left out of `archive` or changed in it, one thing at a time. */
const ablations: readonly Variant[] = [
  {
    name: "composite off: relevance and neighbours alone",
    profile: { weights: { relevance: 1, recency: 0, importance: 0, frequency: 0 } },
  },
  { name: "neighbours' scores off", profile: { ...archive, neighbourFactor: 0 } },
  { name: "passages off", profile: { ...archive, passageShare: 0 } },
  { name: "named times off", profile: { ...archive, timeShare: 0 } },
  { name: "named speakers off", profile: { ...archive, speakerBoost: 0 } },
  {
    name: "neighbours, passages and times off",
    profile: { ...archive, neighbourFactor: 0, passageShare: 0, timeShare: 0 },
  },
];

/** An embedder of another strength, and what is asked of a store that has it. */
export interface StoreVariants {
  readonly embedder: (local: Embedder) => Embedder;
  readonly variants: readonly Variant[];
}

export const textOnly = "text only";
export const vectorsOnly = "vectors only";

/** One store for each embedder: how far vectors are trusted is the embedder's word. */
export const allStores: readonly StoreVariants[] = [
  { embedder: (local) => local, variants: [...shippedProfiles, ...ablations] },
  {
    embedder: (local) => ({ ...local, relevanceWeight: 0 }),
    variants: [{ name: textOnly, profile: "archive" }],
  },
  {
    embedder: (local) => ({ ...local, relevanceWeight: 1 }),
    variants: [{ name: vectorsOnly, profile: { ...archive, passageShare: 0 } }],
  },
  {
    embedder: (local) => ({ ...local, gates: { ...local.gates, duplicate: 2 } }),
    variants: [{ name: "near-duplicates kept", profile: "archive" }],
  },
];

/** Only what is shipped, for a quick look. */
export const mainStore: readonly StoreVariants[] = [{ embedder: (local) => local, variants: shippedProfiles }];

/** Enough memories for 20 sessions, without a limit of tokens. */
const limits = { limit: 100, procedureLimit: 0, maxTokens: 10_000_000, maxTokensPerMemory: 10_000_000 };

/** What a variant finds, best first, as turns or sessions. */
export async function ranked(
  { loci, question, scope, evaluationTime, unitOf }: AskedQuestion,
  { profile }: Variant,
): Promise<readonly string[]> {
  const { hits } = await loci.recall({ query: question.text, scopes: [scope], evaluationTime, profile, ...limits });
  return hits.map(({ memory }) => unitOf(memory));
}

/** Reciprocal rank fusion of what text and vectors find alone. */
export function fusedRanks(text: readonly string[], vectors: readonly string[]): readonly string[] {
  return reciprocalRankFusion([text, vectors]).map(({ id }) => id);
}
