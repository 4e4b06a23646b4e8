import { closesMemory } from "@loci/core";
import type { ContentHash, Instant, MemoryId, MemoryRecord, Ref } from "@loci/domain";
import { type Change, evidenceFamily, type Expectation, type ResourceChange, type ResourceWritten } from "@loci/ledger";
import { contentHashOf, requestHash } from "../calls/content-hash.ts";
import { uuidOfName } from "../calls/uuid-version-7.ts";
import { embeddingsOfRecord } from "../memories/commit-memories.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";
import { closedMemory, memoryOfCandidate } from "./captured-memory.ts";
import { withoutTexts } from "./outcome-texts.ts";
import { captureActivity } from "./order-captures.ts";
import { type CapturePlan, type PlannedCandidate } from "./plan-capture.ts";
import { reviewOf, reviewWritten } from "../memories/stored-review.ts";
import {
  type CaptureRecord,
  captureWritten,
  type ClosedMemory,
  dueChange,
  dueVersion,
  orderOf,
  type StoredCapture,
  type SucceededPayload,
} from "./stored-capture.ts";

/** What is kept of a place that a memory rests on. */
export interface EvidenceRecord {
  readonly memory: MemoryId;
  readonly session: CaptureRecord["session"];
  readonly turn: number;
  readonly start: number;
  readonly end: number;
  readonly at: Instant;
  readonly capture: Ref;
}

/** Writes what was planned, in one commit. @throws LociError `VERSION_CONFLICT` when something was changed meanwhile */
export async function commitCapture(
  services: CaptureServices,
  { tenant, signal }: CaptureCall,
  capture: StoredCapture,
  plan: CapturePlan,
): Promise<void> {
  const now = services.clock();
  const written = plan.planned.flatMap((planned) => addedMemory(planned, capture, now));
  const closed = closings(plan, now);
  const memories = [...written.map(({ memory }) => memory), ...closed];
  const evidence = plan.planned.flatMap((planned) => evidenceOf(planned, capture));
  const reviews = written.flatMap(({ memory, planned }) =>
    memory.state === "quarantined"
      ? [
          reviewWritten(
            reviewOf(memory, {
              reason: reasonOf(planned),
              replaces: planned.target?.memory.id,
              capture: capture.ref,
              now,
            }),
          ),
        ]
      : [],
  );
  const payload: SucceededPayload = {
    outcome: withoutTexts(plan.outcome),
    added: written.map(({ memory }) => memory.id),
    closed: closed.map(({ id, version }): ClosedMemory => ({ ref: id, version })),
    evidence: evidence.map(({ ref }) => ref),
    reviews: reviews.map(({ ref }) => ref),
  };
  const due = await dueVersion(services, tenant, capture.ref, signal);
  const record = withoutProblem({ ...orderOf(capture), ...stateOf(capture, now) });
  const changes: (Change | ResourceChange)[] = [
    ...memories.map((memory): Change => ({ type: "memoryWritten", memory, contentHash: contentHashOf(memory.text) })),
    ...evidence,
    ...reviews,
    captureWritten(record, capture.version + 1, payload),
    ...(due.isDue ? [dueChange(capture, false, due.version)] : []),
  ];
  const hashes = new Map<ContentHash, string>(memories.map(({ text }) => [contentHashOf(text), text]));
  const known = closed.map(({ text }) => contentHashOf(text));
  const { nextSpace, ledger } = services;
  const texts = { texts: hashes, known };
  const [embeddings, further] = await Promise.all([
    memories.length === 0 ? [] : embeddingsOfRecord(services, tenant, texts, signal),
    nextSpace && memories.length > 0 ? embeddingsOfRecord({ ...nextSpace, ledger }, tenant, texts, signal) : [],
  ]);
  const { subject, scopePatterns } = capture.authority;
  await ledger.commit(
    {
      tenant,
      author: subject === undefined ? { activity: captureActivity } : { subject, activity: captureActivity },
      scopePatterns,
      idempotency: {
        method: "capture",
        requestId: `${capture.ref}:${capture.createdAt}`,
        bodyHash: requestHash(orderOf(capture)),
      },
      expect: [
        { ref: capture.ref, version: capture.version },
        ...memories.map(({ id, version }): Expectation => ({ ref: id, version: version - 1 })),
      ],
      changes,
      embeddings: [...(embeddings ?? []), ...(further ?? [])],
    },
    { signal },
  );
  if (embeddings === undefined) services.repair.add(tenant, memories);
  if (nextSpace !== undefined && further === undefined) nextSpace.repair.add(tenant, memories);
}

function stateOf(
  { authority, attempts, starts, createdAt }: StoredCapture,
  now: Instant,
): Pick<CaptureRecord, "authority" | "attempts" | "starts" | "createdAt" | "updatedAt" | "state"> {
  return { authority, attempts, starts, createdAt, updatedAt: now, state: "succeeded" };
}

function withoutProblem(record: CaptureRecord): CaptureRecord {
  const { problem: _problem, dueAt: _dueAt, ...rest } = record;
  return rest;
}

interface AddedMemory {
  readonly memory: MemoryRecord;
  readonly planned: PlannedCandidate;
}

function addedMemory(planned: PlannedCandidate, { session }: StoredCapture, now: Instant): readonly AddedMemory[] {
  const { memory: id } = planned;
  return id === undefined ? [] : [{ memory: memoryOfCandidate(planned, { id, session: session.id, now }), planned }];
}

/** Of each memory the first that closes it: what is closed is judged against no more. */
function closings({ planned }: CapturePlan, now: Instant): readonly MemoryRecord[] {
  const closed = new Map<Ref, MemoryRecord>();
  for (const { candidate, target, memory, turn } of planned) {
    if (target === undefined || !closesMemory(candidate) || closed.has(target.memory.id)) continue;
    const from = candidate.validFrom ?? turn.at;
    closed.set(target.memory.id, closedMemory(target.memory, { by: memory, from, now }));
  }
  return [...closed.values()];
}

function evidenceOf(
  { candidate, memory, target, turn }: PlannedCandidate,
  capture: StoredCapture,
): readonly ResourceWritten[] {
  const about = memory ?? (candidate.decision === "NOOP" ? target?.memory.id : undefined);
  if (about === undefined || candidate.state === "rejected") return [];
  const scope = target !== undefined && memory === undefined ? target.memory.scope : capture.session.scope;
  return candidate.evidence.map(({ turn: number, start, end }, index) => ({
    type: "resourceWritten",
    family: evidenceFamily,
    kind: "evidenceRecorded",
    ref: uuidOfName(0, [
      "evidence",
      capture.ref,
      String(capture.createdAt),
      about,
      String(number),
      String(start),
      String(index),
    ]),
    version: 1,
    scope,
    group: about,
    state: {
      memory: about,
      session: capture.session,
      turn: number,
      start,
      end,
      at: turn.at,
      capture: capture.ref,
    } satisfies EvidenceRecord,
  }));
}

function reasonOf({ candidate }: PlannedCandidate): string {
  return candidate.reason ?? "APPROVAL_REQUIRED";
}
