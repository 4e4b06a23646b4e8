import type { ItemReceipt, Receipt } from "@loci/domain";
import { engineInstruments } from "../calls/engine-metrics.ts";

/** Adds what a context shows, and what it has left out, to the metrics. */
export function countReceipt({ items, window }: Receipt): void {
  const kept = new Map<ItemReceipt["kind"], number>();
  const dropped = new Map<ItemReceipt["kind"], number>();
  for (const { kind, tokens, wholeTokens } of items) {
    kept.set(kind, (kept.get(kind) ?? 0) + tokens);
    // Tags can make what stands there longer than what was given.
    dropped.set(kind, (dropped.get(kind) ?? 0) + Math.max(0, wholeTokens - tokens));
  }
  for (const [outcome, sums] of Object.entries({ kept, dropped }))
    for (const [kind, tokens] of sums)
      if (tokens > 0)
        engineInstruments.add("loci.assembly.tokens", tokens, { "loci.item.kind": kind, "loci.item.outcome": outcome });
  const tokens = window.sectionsTokens + window.queryTokens;
  if (tokens > 0) engineInstruments.record("loci.assembly.window.use", 1 - window.unusedTokens / tokens);
}
