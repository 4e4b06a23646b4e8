import { closesMemory } from "@loci/core";
import {
  type CapturedCandidate,
  type CaptureDecision,
  type CaptureJob,
  type LearnedMemory,
  type MemoryId,
  memoryId,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { getMemories } from "../memories/many-memories.ts";
import type { CaptureServices } from "./capture-services.ts";

/** A statement, with the ids of the memories that it is about. */
interface Named {
  readonly decision: CaptureDecision;
  readonly memory: MemoryId | undefined;
  readonly closed: MemoryId | undefined;
}

/** More than one answer has room for. */
const mostIds = 500;

/** What is remembered of captures that succeeded, as far as the caller may see it and an answer has room: the reports name the rest. */
export async function learnedMemories(
  services: CaptureServices,
  call: Call,
  captures: readonly CaptureJob[],
): Promise<readonly LearnedMemory[]> {
  const learned = captures.flatMap(({ state, outcome }) =>
    state === "succeeded" ? (outcome?.candidates ?? []).flatMap(namedIn) : [],
  );
  const ids = [...new Set(learned.flatMap(({ memory, closed }) => [memory, closed].filter((id) => id !== undefined)))];
  if (ids.length === 0) return [];
  const { memories } = await getMemories(services, call, { ids: ids.slice(0, mostIds) });
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const told = new Set<MemoryId>();
  return learned.flatMap(({ decision, ...about }): readonly LearnedMemory[] => {
    const memory = about.memory && byId.get(about.memory);
    const closed = about.closed && byId.get(about.closed);
    if (memory === undefined && closed === undefined) return [];
    // What was said twice is told once.
    if (memory !== undefined && decision === "NOOP" && told.has(memory.id)) return [];
    if (memory !== undefined) told.add(memory.id);
    return [{ decision, ...(memory && { memory }), ...(closed && { closed }) }];
  });
}

function namedIn(candidate: CapturedCandidate): readonly Named[] {
  const { decision, state, memory, target } = candidate;
  if (decision === null || state === "rejected") return [];
  const known = decision === "NOOP" ? target : null;
  const about = memory ?? known;
  const closed = closesMemory(candidate) ? target : null;
  return [{ decision, memory: idOf(about), closed: idOf(closed) }];
}

function idOf(id: string | null): MemoryId | undefined {
  return id === null ? undefined : memoryId(id);
}
