import {
  type EtagPrecondition,
  LociError,
  type Memory,
  type MemoryId,
  type MemoryRecord,
  type Version,
} from "@loci/domain";
import type { Idempotency, StoredMemory } from "@loci/ledger";
import { memoryAnswer } from "../calls/answers-to-writers.ts";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { type CommitContent, commitMemories, memoriesOfResults, replayedResults } from "./commit-memories.ts";
import type { MemoryUpdate } from "./memory-update.ts";
import type { MemoryServices } from "./memory-services.ts";
import { patchedMemory } from "./patched-memory.ts";
import { isForgotten, memoryNotFound, namedMemory, permittedMemory } from "./existing-memory.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { isVersionConflict, versionConflict } from "../calls/version-conflict.ts";
import { isScreened, refuseSecrets } from "../validation/refuse-secrets.ts";
import { secretWarnings, withWarnings } from "../validation/warn-of-secrets.ts";
import { reviewsOfWaiting } from "./waiting-memories.ts";
import { shownVersions } from "./withheld-memory.ts";
import { putMemory } from "./put-memory.ts";
import {
  allowsMissing,
  checkMemoryPatch,
  checkPrecondition,
  checkVersion,
  patchedFields,
} from "./validate-memory-patch.ts";

const keyField = ["key"] as const;

/** Makes a new version with the patch's fields. */
export async function updateMemory(
  services: MemoryServices,
  call: Call,
  { which, patch, precondition }: MemoryUpdate,
): Promise<Memory> {
  const answer = (memory: Memory): Memory =>
    memoryAnswer(call.principal, memory, [...patchedFields(patch), ...(typeof which === "object" ? keyField : [])]);
  if (allowsMissing(precondition)) return answer(await putMemory(services, call, { which, patch, precondition }));
  const checked = checkMemoryPatch(patch);
  services.metadata.checkMetadata(checked.metadata, "metadata");
  const existing = await namedMemory(services, call, "write", which);
  const { id } = existing.memory;
  const expected = checkPrecondition(id, precondition);
  const texts = checked.text === undefined ? [] : [checked.text];
  const turn = (): Promise<void> | undefined => services.thread.next(call.principal.tenant, call.signal);
  if (isScreened(existing.memory.origin)) await refuseSecrets({ texts, field: "text" }, services.detection, turn);
  const warnings = await secretWarnings(services.detection, turn)(texts);
  const idempotency = idempotencyOf("update", [which, patch, precondition], call.options);
  if (isForgotten(existing) || existing.memory.version !== expected) {
    const refusal = isForgotten(existing) ? memoryNotFound(id) : versionConflict(existing, expected);
    return answer(await replayedMemoryOr(refusal, services, call, idempotency));
  }
  const memory = patchedMemory(existing.memory, checked, services.clock());
  return answer(withWarnings(await commitOne(services, call, { existing, memory, idempotency }), warnings));
}

/** Makes an old version's content the newest version. One that waits from then on gets a review, unless it has one. */
export async function restoreMemory(
  services: MemoryServices,
  call: Call,
  id: MemoryId,
  version: Version,
): Promise<Memory> {
  const { principal, signal } = call;
  const wanted = checkVersion(version);
  const idempotency = idempotencyOf("restore", [id, version], call.options);
  for (;;) {
    const existing = await permittedMemory(services, call, "write", id);
    const versions = await services.ledger.versions(principal.tenant, existing.memory.id, { signal });
    const old = shownVersions(principal, versions).find((stored) => stored.memory.version === wanted);
    if (old === undefined || isForgotten(old)) throw versionNotFound(id, wanted, old !== undefined);
    const now = services.clock();
    const memory = restored(existing.memory, old.memory, now);
    const { ledger } = services;
    const resources = await reviewsOfWaiting({ ledger, tenant: principal.tenant, now, signal }, [memory]);
    try {
      return memoryAnswer(principal, await commitOne(services, call, { existing, memory, idempotency, resources }), []);
    } catch (error) {
      // Another writer was quicker. The caller named no version to be current, so the newest is built upon.
      if (!isVersionConflict(error)) throw error;
    }
  }
}

/** Leaves a tombstone. */
export async function forgetMemory(
  services: MemoryServices,
  call: Call,
  id: MemoryId,
  precondition: EtagPrecondition | undefined,
): Promise<void> {
  const { principal, signal } = call;
  const idempotency = idempotencyOf("forget", [id, precondition], call.options);
  for (;;) {
    const existing = await permittedMemory(services, call, "write", id);
    const expected = precondition === undefined ? undefined : checkPrecondition(id, precondition);
    const { id: ref, version } = existing.memory;
    const isStale = expected !== undefined && expected !== version;
    if (isForgotten(existing) || isStale) {
      if ((await replayedResults(services, call, idempotency)) !== undefined) return;
      throw isForgotten(existing) ? memoryNotFound(id) : versionConflict(existing, expected ?? version);
    }
    try {
      await services.ledger.commit(
        {
          ...authoredBy(principal),
          idempotency,
          expect: [{ ref, version }],
          changes: [{ type: "memoryRemoved", ref, version: version + 1, removedAt: services.clock() }],
        },
        { signal },
      );
      return;
    } catch (error) {
      if (expected !== undefined || !isVersionConflict(error)) throw error;
    }
  }
}

interface NextVersion {
  readonly existing: StoredMemory;
  readonly memory: MemoryRecord;
  readonly idempotency: Idempotency | undefined;
  readonly resources?: CommitContent["resources"];
}

async function commitOne(
  services: MemoryServices,
  call: Call,
  { existing, memory, idempotency, resources }: NextVersion,
): Promise<Memory> {
  const writes = [{ memory, usage: existing.usage }];
  const [written] = await commitMemories(services, call, writes, { idempotency, resources });
  if (written === undefined) throw memoryNotFound(memory.id);
  return written;
}

async function replayedMemoryOr(
  refusal: LociError,
  services: MemoryServices,
  call: Call,
  idempotency: Idempotency | undefined,
): Promise<Memory> {
  const results = await replayedResults(services, call, idempotency);
  const [memory] = results === undefined ? [] : await memoriesOfResults(services, call.principal.tenant, results);
  if (memory === undefined) throw refusal;
  return memory;
}

function restored(current: MemoryRecord, old: MemoryRecord, now: number): MemoryRecord {
  // Restoring is no approval: what waits for one, or waited then, waits again.
  const isQuarantined = current.state === "quarantined" || old.state === "quarantined";
  return {
    ...old,
    version: current.version + 1,
    updatedAt: now,
    state: isQuarantined ? "quarantined" : "active",
  };
}

function versionNotFound(id: MemoryId, version: Version, isTombstone: boolean): LociError {
  return new LociError("VERSION_NOT_FOUND", {
    message: isTombstone
      ? `Version ${version} of the memory ${id} is a tombstone: it has no content to restore.`
      : `The memory ${id} has no version ${version}.`,
    resource: id,
    advice: "Call versions to see which there are.",
  });
}
