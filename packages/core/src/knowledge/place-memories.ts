import type { RecallHit, Scope, SectionSource } from "@loci/domain";
import type { Layout } from "../layout/layout.ts";
import { compareItems, type MemoryItem, type MemoryWriter } from "./memory-item.ts";
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
export function placeMemories(
  hits: readonly RecallHit[],
  layout: Layout,
  writer: MemoryWriter,
): readonly PlacedMemory[] {
  const sources = new Set(layout.sections.map(({ source }) => source));
  return hits.map((hit) => ({ ...writer.write(hit), ...placeOf(hit, layout, sources) })).toSorted(compareItems);
}

type Place = Pick<PlacedMemory, "primary" | "place" | "fallback">;

function placeOf({ memory }: RecallHit, { memoryForm }: Layout, sources: ReadonlySet<SectionSource>): Place {
  const owned = isShared(memory.scope) ? "teamMemories" : "personalMemories";
  if (sources.has(owned)) return { primary: owned, place: owned, fallback: undefined };
  // A line of a list would be taken for the application's own text anywhere but among memories.
  const { primary, secondary } = memoryForm === "element" ? routeMemory(memory) : { primary: "knowledge" as const };
  const has = (source: SectionSource | undefined): SectionSource | undefined =>
    source !== undefined && sources.has(source) ? source : undefined;
  if (!sources.has(primary) || (primary === "system" && !mayStandInSystem(memory)))
    return { primary, place: has(secondary), fallback: undefined };
  return { primary, place: primary, fallback: has(secondary) };
}

function isShared({ kind }: Scope): boolean {
  return kind === "team" || kind === "project" || kind === "global";
}
