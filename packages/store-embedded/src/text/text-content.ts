import type { TermFrequencies } from "@loci/store";

/** What a text index keeps of a row. */
export interface TextContent {
  readonly terms: TermFrequencies;
  /** Terms, repetitions counted. */
  readonly length: number;
}
