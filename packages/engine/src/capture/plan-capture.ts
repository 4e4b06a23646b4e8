import { captureTexts, captureTurns } from "@loci/core";
import {
  type CaptureCandidate,
  type CapturedCandidate,
  type CapturedTurn,
  type CaptureOutcome,
  cosineOfUnitVectors,
  formatScope,
  LociError,
  type MemoryId,
  type Scope,
  type Turn,
} from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { contentHashOf } from "../calls/content-hash.ts";
import { readTurns } from "../sessions/read-turns.ts";
import { findSession } from "../sessions/stored-session.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";
import { comparedMemories } from "./compared-memories.ts";
import type { StoredCapture } from "./stored-capture.ts";

/** What is to be done about a candidate. */
export interface PlannedCandidate {
  readonly candidate: CaptureCandidate;
  /** Of the memory that is to be written for it. */
  readonly memory: MemoryId | undefined;
  readonly scope: Scope;
  /** The memory that it is about. */
  readonly target: StoredMemory | undefined;
  /** The first turn that it cites. */
  readonly turn: Turn;
}

export interface CapturePlan {
  readonly outcome: CaptureOutcome;
  readonly planned: readonly PlannedCandidate[];
}

/** So many turns before the range are read to understand it. */
const turnsBefore = 6;

/** Reads the turns and what is known, and decides what to remember. Writes nothing. */
export async function plannedCapture(
  services: CaptureServices,
  call: CaptureCall,
  capture: StoredCapture,
): Promise<CapturePlan> {
  const { tenant, signal } = call;
  const { session: key, turns: range, projectScope, authority } = capture;
  const { session } = await findSession(services, tenant, key, signal);
  if (session === undefined || session.since !== capture.since) throw sessionGone(key.id);
  const read = await readTurns(
    services,
    { tenant, session, signal },
    { first: Math.max(1, range.first - turnsBefore), last: range.last },
  );
  const captured = read.turns.map(capturedTurn);
  const scopes: readonly [Scope, ...Scope[]] = projectScope === undefined ? [key.scope] : [key.scope, projectScope];
  const texts = captureTexts(captured);
  const known = await comparedMemories(services, call, { scopes, texts });
  const report = captureTurns({
    turns: captured,
    after: range.first - 1,
    scope: formatScope(key.scope),
    projectScope: projectScope && formatScope(projectScope),
    mayApprove: authority.mayApprove,
    memories: known.map(({ memory }) => ({
      id: memory.id,
      text: memory.text,
      scope: formatScope(memory.scope),
      slot: memory.slot ?? null,
      value: memory.slotValue ?? null,
    })),
    cosineOf: await cosinesOf(services, call, texts, known),
    gates: {
      duplicate: services.embedder.gates.duplicate,
      related: services.embedder.gates.related ?? services.embedder.gates.duplicate - 0.15,
    },
  });
  const byId = new Map(known.map((stored) => [stored.memory.id as string, stored]));
  const planned = withinLimits(report.candidates, known.length).map((candidate): PlannedCandidate => {
    const writes = candidate.state !== "rejected" && (candidate.decision === "ADD" || candidate.decision === "UPDATE");
    const cited = candidate.evidence[0]?.turn;
    return {
      candidate,
      memory: writes ? services.ids.next(services.clock()) : undefined,
      scope: scopes.find((scope) => formatScope(scope) === candidate.scope) ?? key.scope,
      target: candidate.target === null ? undefined : byId.get(candidate.target),
      turn: read.turns.find(({ number }) => number === cited) as Turn,
    };
  });
  const candidates = planned.map(({ candidate, memory }): CapturedCandidate => ({
    ...candidate,
    memory: memory ?? null,
  }));
  return { outcome: { extractor: "rules", isFallback: false, candidates }, planned };
}

/** More closings than this wait for a review, */
const mostClosings = 10;
/** and so do more than a third of all that is known, unless they are as few as this. */
const fewClosings = 3;

/** What would close very much of what is known waits for somebody who looks at it. */
function withinLimits(candidates: readonly CaptureCandidate[], known: number): readonly CaptureCandidate[] {
  const closings = candidates.filter(closes).length;
  if (closings <= fewClosings || (closings <= mostClosings && 3 * closings <= known)) return candidates;
  return candidates.map((candidate) => (closes(candidate) ? { ...candidate, state: "quarantined" } : candidate));
}

export function closes({ decision, state }: CaptureCandidate): boolean {
  return state === "active" && (decision === "UPDATE" || decision === "DELETE");
}

function capturedTurn({ number, role, content, at, recalled, toolCalls, name }: Turn): CapturedTurn {
  const tools = [...(toolCalls ?? []).map((call) => call.function.name), ...(role === "tool" && name ? [name] : [])];
  const said = role === "developer" ? "system" : role;
  return { turn: number, role: said, content, at, isRecalled: recalled, ...(tools.length === 0 ? {} : { tools }) };
}

/** Compares texts by their vectors: those of memories as they are recorded. What has none is like nothing. */
async function cosinesOf(
  { ledger, embedding, space }: CaptureServices,
  { tenant, signal }: CaptureCall,
  texts: readonly string[],
  known: readonly StoredMemory[],
): Promise<(left: string, right: string) => number> {
  const vectors = new Map<string, Float32Array>();
  const wanted = [...new Set(texts)];
  if (wanted.length > 0 && known.length > 0) {
    const hashes = known.map(({ memory }) => contentHashOf(memory.text));
    const [made, recorded] = await Promise.all([
      embedding.documents(tenant, wanted, signal),
      ledger.embeddings(tenant, space, hashes, { signal }),
    ]);
    for (const [index, { memory }] of known.entries()) {
      const [vector] = recorded.get(hashes[index] as (typeof hashes)[number]) ?? [];
      if (vector !== undefined) vectors.set(memory.text, vector);
    }
    for (const [index, text] of wanted.entries()) {
      const [vector] = made?.[index] ?? [];
      if (vector !== undefined) vectors.set(text, vector);
    }
  }
  return (left, right) => {
    const [one, other] = [vectors.get(left), vectors.get(right)];
    return one === undefined || other === undefined ? 0 : cosineOfUnitVectors(one, other);
  };
}

function sessionGone(id: string): LociError {
  return new LociError("SESSION_NOT_FOUND", {
    message: "The session that was to be captured is no longer there.",
    resource: id,
    advice: "It was deleted or erased meanwhile: there is nothing to capture.",
  });
}
