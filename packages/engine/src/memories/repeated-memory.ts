import { type Instant, type MemoryRecord, sameScope } from "@loci/domain";
import type { CheckedRememberInput } from "./validate-remember-input.ts";

const maxTags = 32;

/** What of an input decides whether it says again what a memory says. */
export type Repeatable = Pick<
  CheckedRememberInput,
  "scope" | "key" | "category" | "slot" | "trust" | "provenance" | "validFrom" | "validTo"
>;

/** Whether an input may be one more time for something: turns of conversations and what is to be added never are. */
export function mayRepeat({ provenance, repeat }: CheckedRememberInput): boolean {
  return repeat !== "add" && provenance?.kind !== "conversation";
}

/**
 * Whether two of one text (in composed form, without white space at its ends) say the same of the same: in scope, key,
 * category, slot, trust, and when it is true.
 */
export function saysTheSame(left: Repeatable, right: Repeatable): boolean {
  const category = "fact";
  return (
    sameScope(left.scope, right.scope) &&
    left.key === right.key &&
    (left.category ?? category) === (right.category ?? category) &&
    left.slot === right.slot &&
    (left.trust ?? "trusted") === (right.trust ?? "trusted") &&
    left.validFrom === right.validFrom &&
    left.validTo === right.validTo
  );
}

/** Whether a memory can be found again, so that it need not be stored anew. */
export function canBeRefreshed({ state, supersededBy, expiresAt, provenance }: MemoryRecord, now: Instant): boolean {
  return (
    state === "active" &&
    supersededBy === undefined &&
    (expiresAt === undefined || expiresAt > now) &&
    provenance?.kind !== "conversation"
  );
}

/**
 * A memory after its text was remembered again: said when it was said last, lasting as long as the longer of both asks for,
 * with the tags of both, and with whatever else is given this time. Its text, id, origin and version stay.
 */
export function withEvidence(memory: MemoryRecord, input: CheckedRememberInput, now: Instant): MemoryRecord {
  const { importance, confidence, isStatic, isPinned = memory.isPinned, metadata, tags = [], createdAt = now } = input;
  const { expiresAt, ...lasting } = memory;
  const provenance = input.provenance ?? memory.provenance;
  const ends =
    expiresAt === undefined || input.expiresAt === undefined ? undefined : Math.max(expiresAt, input.expiresAt);
  return {
    ...lasting,
    importance: importance ?? memory.importance,
    confidence: confidence ?? memory.confidence,
    isStatic: isStatic ?? memory.isStatic,
    ...(isPinned === true ? { isPinned } : {}),
    metadata: metadata ?? memory.metadata,
    tags: [...new Set([...memory.tags, ...tags])].slice(0, maxTags),
    createdAt: Math.max(memory.createdAt, createdAt),
    updatedAt: now,
    ...(provenance === undefined ? {} : { provenance }),
    ...(ends === undefined ? {} : { expiresAt: ends }),
  };
}
