import { isDeepStrictEqual } from "node:util";
import type { Instant, MemoryPatch, MemoryRecord } from "@loci/domain";
import { checkValidity } from "./validate-remember-input.ts";

/** `null` removes an optional field; what the patch leaves out stays, but for what was said of the words before. */
export function patchedMemory(before: MemoryRecord, patch: MemoryPatch, now: Instant): MemoryRecord {
  const isPinned = (patch.isPinned ?? before.isPinned) === true ? true : undefined;
  const { approvedBy, approvedAt, slotValue } = before;
  const ofWords = {
    // Somebody approved what a model is shown, and nobody has approved the other words.
    ...(isChanged(before, patch, ["text", "category", "tags"]) ? noApproval : { approvedBy, approvedAt }),
    slotValue: isChanged(before, patch, ["text", "slot"]) ? undefined : slotValue,
  };
  const fields = Object.entries({ ...before, ...patch, ...ofWords, isPinned }).filter(
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

const noApproval = { approvedBy: undefined, approvedAt: undefined };

function isChanged(before: MemoryPatch, patch: MemoryPatch, names: readonly (keyof MemoryPatch)[]): boolean {
  return names.some((name) => name in patch && !isDeepStrictEqual(patch[name] ?? undefined, before[name]));
}
