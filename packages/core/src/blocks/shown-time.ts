import type { Instant } from "@loci/domain";

/** `yyyy-mm-ddThh:mm:ssZ`: UTC, whole seconds, rounded down. */
export function shownTime(instant: Instant): string {
  return new Date(Math.floor(instant / 1000) * 1000).toISOString().replace(".000Z", "Z");
}
