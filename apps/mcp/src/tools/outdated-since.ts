import { heldInstead, type Loci, type Memory, type MemoryId, type RecallHit } from "@loci/loci";
import { z } from "zod";
import { asData } from "./tool-result.ts";

/** As much of what holds instead of a memory, in bytes: a captured one is no longer. */
export const insteadBytes = 600;

/** What a model is told of something that is over: since when, whether in part, and what holds now. */
export interface OutdatedSince {
  readonly outdated?: {
    /** ISO 8601. */
    readonly since: string;
    readonly isInPart?: true;
    readonly now?: readonly { readonly id: MemoryId; readonly text?: string }[];
  };
}

/** How tools say it of a memory. */
export const outdatedField: z.ZodOptional<z.ZodObject> = z
  .object({
    since: z.string().describe("ISO 8601."),
    isInPart: z.boolean().optional().describe("Something that it says is over; the rest may hold still."),
    now: z
      .array(z.object({ id: z.string(), text: z.string().optional().describe("Unless it is listed itself.") }))
      .optional()
      .describe("What holds instead. Absent: nothing is known."),
  })
  .optional()
  .describe("It is not so any more: go by what holds now.");

/** The same of one hit that is shown alone: with the texts of all that holds instead. */
export async function outdatedAlone(
  loci: Loci,
  hit: RecallHit,
  options: { readonly signal: AbortSignal },
): Promise<OutdatedSince> {
  return outdatedSince(hit, await heldInstead(loci.memories, [hit], insteadBytes, options));
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
