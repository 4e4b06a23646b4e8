import { queryTags, type QueryTagSource, type TextAnalyser } from "@loci/core";
import type { Ref } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { CandidateSource } from "./candidate-source.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/**
 * Procedures with a tag that the question or a tool in use names, whatever their text says: "publish the article" finds what is tagged
 * `article-publication`. Of each tag the newest, until there are enough: one that many share does not push out another.
 *
 * @param resolve picks those of a page that can be recalled
 * @param wanted how many of each tag are enough
 */
export async function proceduresByTag(
  source: CandidateSource,
  { analyser, ...named }: QueryTagSource & { readonly analyser: TextAnalyser },
  resolve: (page: readonly StoredMemory[]) => readonly StoredMemory[],
  wanted: number,
): Promise<ReadonlyMap<Ref, StoredMemory>> {
  const tags = queryTags(named, await source.procedureTags(), analyser);
  const found = new Map<Ref, StoredMemory>();
  await Promise.all(
    Array.from(tags, async (tag) => {
      let usable = 0;
      for await (const page of source.procedures(tag)) {
        for (const stored of resolve(page)) {
          found.set(stored.memory.id, stored);
          usable++;
        }
        if (usable >= wanted) break;
      }
    }),
  );
  return found;
}

/** Whether a recall looks for procedures at all. */
export function wantsProcedures({ categories, procedureLimit }: CheckedRecallRequest): boolean {
  return procedureLimit > 0 && (categories === undefined || categories.includes("procedure"));
}

/** The distinct tags of memories, as written. */
export function tagsOf(memories: readonly Pick<StoredMemory, "memory">[]): ReadonlySet<string> {
  return new Set(memories.flatMap(({ memory }) => memory.tags));
}
