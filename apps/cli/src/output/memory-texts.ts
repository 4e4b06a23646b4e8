import { LociError, memoryId, type Receipt } from "@loci/domain";
import type { Loci } from "@loci/loci";

/** Of what was not recalled, a receipt lists so many one by one, the best of them. */
const listed = 10;

/** Texts of the memories that a receipt lists, by id: the end of an id tells nobody which memory it is. */
export async function memoryTexts(
  loci: Loci,
  { items, droppedCandidates }: Pick<Receipt, "items" | "droppedCandidates">,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const dropped = droppedCandidates.toSorted((left, right) => (right.score ?? -1) - (left.score ?? -1));
  const kept = items.filter(({ kind }) => kind === "memory");
  const ids = new Set<string>([...kept, ...dropped.slice(0, listed)].map(({ id }) => id));
  const texts = new Map<string, string>();
  for (const id of ids) {
    const text = await textOf(loci, id, signal);
    if (text !== undefined) texts.set(id, text);
  }
  return texts;
}

/** Undefined for one that was forgotten meanwhile, or that the caller may not read by its id. */
async function textOf(loci: Loci, id: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    return (await loci.memories.get(memoryId(id), { signal })).text;
  } catch (error) {
    if (LociError.is(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
