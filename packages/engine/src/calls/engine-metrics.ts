import type { Principal } from "@loci/domain";
import { MetricInstruments } from "./metric-instruments.ts";
import { engineMetrics } from "./metric-table.ts";

/** What the engine tells of itself, to whom the program has registered with `@opentelemetry/api`. */
export const engineInstruments: MetricInstruments<typeof engineMetrics> = new MetricInstruments(
  "@loci/engine",
  engineMetrics,
);

/** Whether a call is one of Loci's own, such as a health probe: it says nothing about what callers find. */
export function isOwnCall({ subject }: Principal): boolean {
  return subject.startsWith("loci:");
}

/** Notes whether what is kept between calls was there. */
export function countLookup(
  cache: "standing" | "turn" | "conversation" | "blocks" | "summary",
  isHit: boolean,
  times = 1,
): void {
  if (times > 0)
    engineInstruments.add("loci.cache.lookups", times, {
      "loci.cache": cache,
      "loci.cache.outcome": isHit ? "hit" : "miss",
    });
}
