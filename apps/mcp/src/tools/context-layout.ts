import { findLayout, type LayoutDefinition, type Loci, type ScopeText, type SectionDefinition } from "@loci/loci";

/** Blocks that the sections of every layout for conversations show behind what is given for them. */
const shownAnyway: ReadonlySet<string> = new Set(["persona", "human"]);
/** Names of tags that say something else. */
const taken: ReadonlySet<string> = new Set([
  "system",
  "project",
  "task",
  "history",
  "knowledge",
  "procedures",
  "query",
]);
/** Half of what a layout may have. */
const mostBlocks = 32;

/**
 * The layout of the contexts of an editor: `memoryBlocks`, in which each further block of the owners has a section of its own,
 * behind the system text. So the core memory and what a person made a block of stand in every context, as the tools say.
 *
 * @param owners in whose order a label that several have is taken
 * @returns `undefined` where `memoryBlocks` shows them all
 */
export async function contextLayout(
  loci: Loci,
  owners: readonly ScopeText[],
  call: { readonly signal: AbortSignal },
): Promise<LayoutDefinition | undefined> {
  const lists = await Promise.all(owners.map((owner) => loci.blocks.list({ owner }, call)));
  const labels = new Set(lists.flat().flatMap(({ label }) => (shownAnyway.has(label) ? [] : [label])));
  if (labels.size === 0) return undefined;
  const { sections } = findLayout("memoryBlocks");
  const [system, ...others] = sections;
  if (system === undefined) return undefined;
  const ofBlocks = [...labels].slice(0, mostBlocks).map(sectionOf);
  return { name: "memoryBlocksWithBlocks", sections: [system, ...ofBlocks, ...others] };
}

function sectionOf(label: string): SectionDefinition {
  const name = taken.has(label) ? `${label}_block` : label;
  // A core memory that was cut may lack what must never happen.
  if (label === "core_memory") return { name, source: "coreMemory", shortening: "never", rank: 1 };
  return { name, source: `block:${label}`, shortening: "sentences", rank: 2 };
}
