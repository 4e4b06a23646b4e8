import type { RecallHit } from "@loci/domain";
import type { SectionSource } from "../layout/layout.ts";
import { compareItems, type MemoryItem, renderMemory } from "./memory-item.ts";
import { routeMemory } from "./route-memory.ts";
import { mayStandInSystem } from "./standing.ts";

/** A memory on its way into the window. */
export interface PlacedMemory extends MemoryItem {
  /** The section it was first meant for. */
  readonly primary: SectionSource;
  /** Where it is tried first: the primary section, unless it may not stand there. */
  readonly place: SectionSource | undefined;
  /** Where it is tried when it does not fit. */
  readonly fallback: SectionSource | undefined;
}

/** Renders the hits and says where each is to stand, best first. */
export function placeMemories(hits: readonly RecallHit[], count: (text: string) => number): readonly PlacedMemory[] {
  return hits
    .map((hit) => {
      const { primary, secondary } = routeMemory(hit.memory);
      const item = renderMemory(hit, count);
      return primary === "system" && !mayStandInSystem(hit.memory)
        ? { ...item, primary, place: secondary, fallback: undefined }
        : { ...item, primary, place: primary, fallback: secondary };
    })
    .toSorted(compareItems);
}
