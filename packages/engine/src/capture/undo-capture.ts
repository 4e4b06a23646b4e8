import { authorize, type CaptureJob, type CaptureUndone, LociError, type MemoryRecord, type Ref } from "@loci/domain";
import {
  type Change,
  evidenceFamily,
  type Expectation,
  type ResourceChange,
  reviewFamily,
  type StoredMemory,
} from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { contentHashOf } from "../calls/content-hash.ts";
import { isVersionConflict } from "../calls/version-conflict.ts";
import { reopenedMemory } from "./captured-memory.ts";
import type { CaptureServices } from "./capture-services.ts";
import { wholeCapture } from "./whole-capture.ts";
import {
  captureWritten,
  payloadsOf,
  permittedCapture,
  type StoredCapture,
  type SucceededPayload,
} from "./stored-capture.ts";

/** Takes back what a capture did, as far as nobody has changed it since. */
export async function undoCapture(services: CaptureServices, call: Call, id: string): Promise<CaptureJob> {
  const { principal, signal } = call;
  const { tenant } = principal;
  for (;;) {
    const capture = await permittedCapture(services, call, "write", id);
    const { projectScope } = capture;
    authorize(principal, "write", projectScope === undefined ? [] : [projectScope]);
    const { succeeded } = await payloadsOf(services, tenant, capture, signal);
    if (capture.state === "undone") return wholeCapture(services, call, capture);
    if (capture.state !== "succeeded" || succeeded === undefined) throw notUndoable(capture);
    const { memories, undone, expect } = await restoring(services, call, succeeded);
    const record = { ...capture, state: "undone", updatedAt: services.clock() } as const;
    const changes: (Change | ResourceChange)[] = [
      ...memories,
      ...(await removing(services, call, evidenceFamily, succeeded.evidence)),
      ...(await removing(services, call, reviewFamily, succeeded.reviews)),
      captureWritten(record, capture.version + 1, { undone }),
    ];
    try {
      await services.ledger.commit(
        {
          ...authoredBy(principal),
          reason: "CAPTURE_UNDONE",
          expect: [{ ref: capture.ref, version: capture.version }, ...expect],
          changes,
        },
        { signal },
      );
      return await wholeCapture(services, call, { ...record, version: capture.version + 1 });
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
    }
  }
}

interface Restoring {
  readonly memories: readonly Change[];
  readonly undone: CaptureUndone;
  readonly expect: readonly Expectation[];
}

async function restoring(
  { ledger, clock }: CaptureServices,
  { principal: { tenant }, signal }: Call,
  { added, closed, changed = [] }: SucceededPayload,
): Promise<Restoring> {
  const now = clock();
  const refs = [...added, ...closed.map(({ ref }) => ref)];
  const current = await ledger.memories(tenant, refs, { signal });
  const memories: Change[] = [];
  const expect: Expectation[] = [];
  const undone = { forgotten: [] as Ref[], reopened: [] as Ref[], skipped: [] as Ref[] };
  const change = (stored: StoredMemory, next: Change): void => {
    expect.push({ ref: stored.memory.id, version: stored.memory.version });
    memories.push(next);
  };
  for (const ref of added) {
    const stored = current.get(ref);
    if (stored?.memory.version !== 1 || changed.includes(ref)) undone.skipped.push(ref);
    else {
      change(stored, { type: "memoryRemoved", ref, version: 2, removedAt: now });
      undone.forgotten.push(ref);
    }
  }
  for (const { ref, version, before: known } of closed) {
    const stored = current.get(ref);
    const isAsItWas = stored?.memory.version === version && !changed.includes(ref);
    const before = isAsItWas ? (known ?? (await formerVersion(ledger, tenant, ref, version - 1))) : undefined;
    if (stored === undefined || before === undefined) undone.skipped.push(ref);
    else {
      const memory = reopenedMemory(stored.memory, before, now);
      change(stored, { type: "memoryWritten", memory, contentHash: contentHashOf(memory.text) });
      undone.reopened.push(ref);
    }
  }
  return { memories, undone, expect };
}

async function formerVersion(
  ledger: CaptureServices["ledger"],
  tenant: Call["principal"]["tenant"],
  ref: Ref,
  version: number,
): Promise<MemoryRecord | undefined> {
  return (await ledger.versions(tenant, ref)).find(({ memory }) => memory.version === version)?.memory;
}

/** What is there still of what was written beside the memories. */
async function removing(
  { ledger }: CaptureServices,
  { principal: { tenant }, signal }: Call,
  family: string,
  refs: readonly Ref[],
): Promise<readonly ResourceChange[]> {
  const found = await ledger.resources.get(tenant, family, refs, { signal });
  return [...found.values()].flatMap(({ ref, version, state }): readonly ResourceChange[] =>
    state === undefined ? [] : [{ type: "resourceRemoved", family, kind: "captureUndone", ref, version: version + 1 }],
  );
}

function notUndoable({ ref, state }: StoredCapture): LociError {
  return new LociError("CAPTURE_NOT_UNDOABLE", {
    message: `The capture ${ref} is ${state}: only one that has succeeded can be undone.`,
    resource: ref,
    advice: state === "queued" || state === "running" ? "Wait for it, or cancel it." : "There is nothing to undo.",
  });
}
