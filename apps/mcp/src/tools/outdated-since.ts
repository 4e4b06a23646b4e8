import type { Memory, MemoryId, RecallHit } from "@loci/loci";
import { asData } from "./tool-result.ts";

/** What a model is told of something that is over: since when, whether in part, and what holds now. */
export interface OutdatedSince {
  readonly outdated?: {
    /** ISO 8601. */
    readonly since: string;
    readonly isInPart?: true;
    readonly now?: readonly { readonly id: MemoryId; readonly text?: string }[];
  };
}

/**
 * What of a hit is over, in the words of the tools. What holds instead stands there with its text, unless it is a hit itself.
 *
 * @param instead by id what holds and is no hit, as far as it could be read
 */
export function outdatedSince(
  { outdated }: Pick<RecallHit, "outdated">,
  instead: ReadonlyMap<MemoryId, Memory>,
): OutdatedSince {
  if (outdated === undefined) return {};
  const now = outdated.replacedBy.map((id) => {
    const text = instead.get(id)?.text;
    return text === undefined ? { id } : { id, text: asData(text) };
  });
  return {
    outdated: {
      since: new Date(outdated.since).toISOString(),
      ...(outdated.isInPart ? { isInPart: true } : {}),
      ...(now.length === 0 ? {} : { now }),
    },
  };
}
