import { isDeepStrictEqual } from "node:util";
import { isConversationTurn } from "@loci/core";
import type { Instant, MemoryPatch, MemoryRecord } from "@loci/domain";
import { checkValidity } from "./validate-remember-input.ts";

/**
 * `null` removes an optional field; what the patch leaves out stays, but for what was said of the words before. Other words hold from
 * now on unless the patch says since when: nobody has said them on the day of the former ones.
 */
export function patchedMemory(before: MemoryRecord, patch: MemoryPatch, now: Instant): MemoryRecord {
  const isPinned = (patch.isPinned ?? before.isPinned) === true ? true : undefined;
  const { approvedBy, approvedAt, slotValue } = before;
  const ofWords = {
    // Somebody approved what a model is shown, and nobody has approved the other words.
    ...(isChanged(before, patch, ["text", "category", "tags"]) ? noApproval : { approvedBy, approvedAt }),
    slotValue: isChanged(before, patch, ["text", "slot"]) ? undefined : slotValue,
  };
  const since = holdsFromNow(before, patch, now)
    ? { validFrom: now }
    : endsBefore(before, patch)
      ? { validFrom: null }
      : {};
  const fields = Object.entries({ ...before, ...patch, ...ofWords, ...since, isPinned }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const memory = {
    ...(Object.fromEntries(fields) as unknown as MemoryRecord),
    version: before.version + 1,
    updatedAt: now,
  };
  checkValidity(memory.validFrom, memory.validTo, "validTo");
  return memory;
}

/**
 * Not what is still to come or is over: it is written better, and holds when it did. A turn of a conversation was said when it was
 * said, whatever it says now.
 */
function holdsFromNow(before: MemoryRecord, patch: MemoryPatch, now: Instant): boolean {
  if (
    "validFrom" in patch ||
    !isChanged(before, patch, ["text"]) ||
    isConversationTurn({ ...before, ...sourceIn(patch) })
  )
    return false;
  const until = "validTo" in patch ? patch.validTo : before.validTo;
  return (before.validFrom ?? now) <= now && (until ?? Infinity) > now;
}

/** An end before the last change of the words: since when they hold was the time of that change, and nobody's word. */
function endsBefore({ validFrom, createdAt, updatedAt }: MemoryRecord, patch: MemoryPatch): boolean {
  if ("validFrom" in patch || validFrom === undefined || (patch.validTo ?? Infinity) > validFrom) return false;
  return validFrom > createdAt && validFrom <= updatedAt;
}

function sourceIn({ provenance }: MemoryPatch): Pick<MemoryRecord, "provenance"> {
  return provenance === undefined ? {} : { provenance: provenance ?? undefined };
}

const noApproval = { approvedBy: undefined, approvedAt: undefined };

function isChanged(before: MemoryPatch, patch: MemoryPatch, names: readonly (keyof MemoryPatch)[]): boolean {
  return names.some((name) => name in patch && !isDeepStrictEqual(patch[name] ?? undefined, before[name]));
}
