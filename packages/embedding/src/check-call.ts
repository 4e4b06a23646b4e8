import { LociError } from "@loci/domain";

/** @throws LociError `INVALID_REQUEST` for more texts than an embedder takes at once */
export function checkBatch(texts: readonly string[], maxBatch: number): void {
  if (texts.length <= maxBatch) return;
  throw new LociError("INVALID_REQUEST", {
    message: `texts holds ${texts.length} texts, but the embedder takes at most ${maxBatch} at once.`,
    field: "texts",
    advice: "Embed them in batches, as CachedEmbedder does.",
  });
}

/** @throws LociError `CLOSED` */
export function checkOpen(isClosed: boolean): void {
  if (isClosed) throw closed();
}

export function closed(): LociError {
  return new LociError("CLOSED", { message: "The embedder is closed.", advice: "Open it again." });
}
