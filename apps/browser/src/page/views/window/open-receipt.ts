import type { KeptReceipt, MemoryVersion } from "@loci/api-web";
import { contexts, memories } from "../../api/calls.ts";
import { isCancelled } from "../../api/failure.ts";
import { millisecondsOf, shownTime } from "../../text/times.ts";
import { partsOf, sectionOf, type ShownWindow } from "./shown-window.ts";

/** Of one call. */
const mostAtOnce = 500;

/** A receipt that the server keeps, with the texts of its memories as they were then, as far as they are still there. */
export async function openReceipt(id: string, signal: AbortSignal): Promise<ShownWindow> {
  const { receipt: kept } = await contexts.getReceipt({ id }, { signal });
  if (kept?.receipt === undefined) throw new Error("The server answered without a receipt.");
  const texts = await textsThen(kept, signal);
  const parts = partsOf(kept.receipt);
  return {
    ...parts,
    title: `Context of ${shownTime(timeOf(kept))}`,
    text: undefined,
    stablePrefixTokens: kept.summary?.stablePrefixTokens,
    prefix: kept.prefixSections,
    sections: kept.receipt.sections.map((section) => sectionOf(section, undefined)),
    items: parts.items.map((item) => ({ ...item, text: texts.get(item.id) })),
  };
}

function timeOf({ summary }: KeptReceipt): number {
  return summary?.assembleTime === undefined ? 0 : millisecondsOf(summary.assembleTime);
}

/** What memories said in the versions of then, by id. What the key may not read, and what was erased, is absent. */
async function textsThen({ memories: named }: KeptReceipt, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const changed: MemoryVersion[] = [];
  const wanted = new Map(named.map((each) => [each.id, each]));
  for (let ids = [...wanted.keys()]; ids.length > 0;) {
    const asked = ids.slice(0, mostAtOnce);
    const answer = await memories.batchGetMemories({ ids: asked, withDeleted: true }, { signal });
    for (const { id, version, text } of answer.memories) {
      const then = wanted.get(id);
      if (then?.version === version) texts.set(id, text);
      else if (then !== undefined) changed.push(then);
    }
    ids = [...answer.unreadIds, ...ids.slice(asked.length)];
  }
  await Promise.all(
    changed.map(async ({ id, version }) => {
      const text = await textOfVersion(id, version, signal);
      if (text !== undefined) texts.set(id, text);
    }),
  );
  return texts;
}

async function textOfVersion(id: string, version: bigint, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { memories: versions } = await memories.listMemoryVersions({ id }, { signal });
    return versions.find((each) => each.version === version)?.text;
  } catch (error) {
    if (isCancelled(error)) throw error;
    // One memory that cannot be read leaves the others to be seen.
    return undefined;
  }
}
