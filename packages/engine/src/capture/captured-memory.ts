import { type Instant, isIdentifier, type MemoryId, type MemoryRecord } from "@loci/domain";
import type { PlannedCandidate } from "./plan-capture.ts";

/** Longest value of a slot, in UTF-16 units: at most 200 bytes. */
const longestValue = 66;
const longestSlot = 66;

/** The memory of a candidate. @param id of the memory @param session the id of the session that was captured */
export function memoryOfCandidate(
  { candidate, scope, turn }: PlannedCandidate,
  { id, session, now }: { readonly id: MemoryId; readonly session: string; readonly now: Instant },
): MemoryRecord {
  const named = clipped(candidate.slot, longestSlot);
  // As callers may choose it: an export with this memory has to come back in.
  const slot = isIdentifier(named) ? named : undefined;
  const value = clipped(candidate.value, longestValue);
  const isForeign = candidate.reason === "UNTRUSTED";
  return {
    id,
    text: candidate.text,
    category: candidate.category,
    scope,
    importance: candidate.importance,
    confidence: 1,
    isStatic: candidate.isStatic,
    tags: candidate.tags,
    origin: candidate.isCorrection ? "correction" : "capture",
    trust: isForeign ? "untrusted" : "trusted",
    metadata: {},
    createdAt: turn.at,
    updatedAt: now,
    validFrom: holdsFrom(candidate, turn.at),
    ...(candidate.validTo === null ? {} : { validTo: candidate.validTo }),
    version: 1,
    state: candidate.state === "quarantined" ? "quarantined" : "active",
    provenance: {
      sourceId: `conversation:${session}`,
      kind: "conversation",
      position: turn.number - 1,
      speaker: turn.role,
      role: turn.role === "user" ? "person" : turn.role === "assistant" ? "assistant" : "tool",
      createdAt: turn.at,
    },
    ...(slot === undefined ? {} : { slot }),
    ...(slot === undefined || value === undefined ? {} : { slotValue: value }),
  };
}

/** What is told of a day to come is known from now on, beside what holds until then. */
function holdsFrom({ validFrom }: PlannedCandidate["candidate"], at: Instant): Instant {
  return validFrom === null ? at : Math.min(validFrom, at);
}

/** A memory that is over: by another one that takes its place, or by itself. */
export function closedMemory(
  memory: MemoryRecord,
  { by, from, now }: { readonly by: MemoryId | undefined; readonly from: Instant; readonly now: Instant },
): MemoryRecord {
  const began = memory.validFrom ?? memory.createdAt;
  // What was said and taken back at one time held for a moment: an end comes after its beginning.
  // A plan is over behind its day, whatever changes later.
  const validTo = Math.min(memory.validTo ?? Infinity, Math.max(from, began + 1));
  // What changes on a day to come holds until then, and the other one from then on.
  const supersededBy = by === undefined || Math.max(from, began) > now ? {} : { supersededBy: by };
  return { ...memory, version: memory.version + 1, updatedAt: now, validTo, ...supersededBy };
}

/** A closed memory as it holds again. */
export function reopenedMemory(
  { validTo: _validTo, supersededBy: _by, ...memory }: MemoryRecord,
  before: Pick<MemoryRecord, "validTo" | "supersededBy">,
  now: Instant,
): MemoryRecord {
  return {
    ...memory,
    version: memory.version + 1,
    updatedAt: now,
    ...(before.validTo === undefined ? {} : { validTo: before.validTo }),
    ...(before.supersededBy === undefined ? {} : { supersededBy: before.supersededBy }),
  };
}

function clipped(text: string | null, most: number): string | undefined {
  const trimmed = text?.trim().slice(0, most).toWellFormed().trim();
  return trimmed === undefined || trimmed === "" ? undefined : trimmed;
}
