import type { Instant } from "@loci/domain";
import { shownTime } from "../blocks/shown-time.ts";

/** The share of the maximum that a rotation leaves. */
export const rotationTarget: number = 0.5;

/** The archival memory of what a block held when room was made in it. */
export function archivedText(text: string, now: Instant): string {
  return `[ARCHIVED ${shownTime(now)}]\n${text}`;
}
