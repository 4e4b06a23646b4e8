import type { Memory, Scope, SectionSource } from "@loci/domain";
import type { Layout } from "../layout/layout.ts";
import { compareItems, type MemoryItem, type MemoryWriter, type ShownMemory } from "./memory-item.ts";
import { routeMemory } from "./route-memory.ts";
import { compareStanding, mayBeFollowed, mayStandInSystem } from "./standing.ts";

/** A memory on its way into the window. */
export interface PlacedMemory extends MemoryItem {
  /** The section it was first meant for. */
  readonly primary: SectionSource;
  /** Where it is tried first: the primary section, unless it may not stand there. */
  readonly place: SectionSource | undefined;
  /** Where it is tried when it does not fit. */
  readonly fallback: SectionSource | undefined;
}

/** The memories of one assembly. */
export interface PlaceableMemories {
  readonly hits: readonly ShownMemory[];
  /** Whether they are in the order in which they are tried and shown. Default false: by score, then id. */
  readonly areInOrder?: boolean | undefined;
  /** What stands whatever the query says, in any order. Absent: then what was recalled may stand there. */
  readonly standing?: readonly ShownMemory[] | undefined;
}

/** Renders what was recalled and says where each is to stand, best first. */
export function placeMemories(
  { hits, areInOrder = false, standing }: PlaceableMemories,
  layout: Layout,
  writer: MemoryWriter,
): readonly PlacedMemory[] {
  const sources = sourcesOf(layout);
  const placed = hits
    .map((hit, index): PlacedMemory => {
      const place = placeOf(hit.memory, layout, sources);
      const item = areInOrder ? { ...writer.write(hit), recalled: index } : writer.write(hit);
      // What changes with the query must not stand before text that does not.
      return standing !== undefined && isBeforeKnowledge(place.place)
        ? { ...item, ...place, place: place.fallback, fallback: undefined }
        : { ...item, ...place };
    })
    .toSorted(compareItems);
  return writer.withContinued(placed);
}

/**
 * Renders what stands whatever the query says, and says where, in its order. What somebody prefers and has not approved to be
 * followed stands as data in the project. What may not stand in its section otherwise is left to recall, but for what is pinned:
 * that goes first among the memories.
 */
export function placeStanding(
  { standing = [] }: Pick<PlaceableMemories, "standing">,
  layout: Layout,
  writer: MemoryWriter,
): readonly PlacedMemory[] {
  const sources = sourcesOf(layout);
  const placed: PlacedMemory[] = [];
  for (const shown of standing.toSorted((left, right) => compareStanding(left.memory, right.memory))) {
    const { memory } = shown;
    const { primary, place, fallback } = standingPlaceOf(memory, layout, sources);
    // A rule that may be followed stands among the procedures, as what is pinned does.
    const staysThere = memory.isPinned === true || mayBeFollowed(memory);
    if (place === undefined || !(staysThere || isBeforeKnowledge(place))) continue;
    const standing = placed.length;
    placed.push({ ...writer.write(shown), standing, primary, place, fallback: staysThere ? fallback : undefined });
  }
  return placed;
}

/** True for the sections whose text stays the same from call to call. */
export function isBeforeKnowledge(source: SectionSource | undefined): boolean {
  return source === "system" || source === "project";
}

type Place = Pick<PlacedMemory, "primary" | "place" | "fallback">;

function sourcesOf({ sections }: Layout): ReadonlySet<SectionSource> {
  return new Set(sections.map(({ source }) => source));
}

function placeOf(memory: Memory, { memoryForm }: Layout, sources: ReadonlySet<SectionSource>): Place {
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

function standingPlaceOf(memory: Memory, layout: Layout, sources: ReadonlySet<SectionSource>): Place {
  const found = placeOf(memory, layout, sources);
  const isKeptOut = found.primary === "system" && found.place !== "system" && memory.isPinned !== true;
  // Of how to speak with somebody; what may be followed stands among the procedures.
  const isOfManner = memory.category === "procedure" && memory.isStatic && !mayBeFollowed(memory);
  return (isKeptOut || isOfManner) && memory.trust === "trusted" && sources.has("project")
    ? { ...found, place: "project" }
    : found;
}

function isShared({ kind }: Scope): boolean {
  return kind === "team" || kind === "project" || kind === "global";
}
