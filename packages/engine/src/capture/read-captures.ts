import {
  authorize,
  type CaptureExtractor,
  captureExtractors,
  type CaptureJob,
  checkChoice,
  checksOf,
  type MemoryEvidence,
  memoryId,
  optional,
  permitsScope,
  throwIfAborted,
} from "@loci/domain";
import { evidenceFamily, type StoredResource } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { isOutdated } from "../calls/version-conflict.ts";
import { permittedMemory } from "../memories/existing-memory.ts";
import type { CaptureServices } from "./capture-services.ts";
import type { EvidenceRecord } from "./commit-capture.ts";
import { FollowedCapture } from "./followed-capture.ts";
import { written } from "./run-capture.ts";
import { tryCapture } from "./start-capture.ts";
import { wholeCapture } from "./whole-capture.ts";
import { captureView, endStates, orderOf, permittedCapture } from "./stored-capture.ts";

const checkReplay = checksOf<{ readonly extractor?: CaptureExtractor | undefined }>()("changes", {
  extractor: optional((extractor, path) => checkChoice(extractor, captureExtractors, path)),
});

export async function getCapture(services: CaptureServices, call: Call, id: string): Promise<CaptureJob> {
  const capture = await permittedCapture(services, call, "read", id);
  return wholeCapture(services, call, capture);
}

/** Resolves when the capture is over. @throws LociError what ends the call */
export async function waitForCapture(services: CaptureServices, call: Call, id: string): Promise<CaptureJob> {
  const known = await permittedCapture(services, call, "read", id);
  if (endStates.has(known.state)) return wholeCapture(services, call, known);
  const { captureRunner, ledger } = services;
  using followed = new FollowedCapture({ captureRunner, ledger, tenant: call.principal.tenant, ref: known.ref });
  for (;;) {
    const capture = await permittedCapture(services, call, "read", id);
    if (endStates.has(capture.state)) return await wholeCapture(services, call, capture);
    await followed.wait(call.signal);
    throwIfAborted(call.signal);
  }
}

/** Stops a capture that is not over. */
export async function cancelCapture(services: CaptureServices, call: Call, id: string): Promise<CaptureJob> {
  for (;;) {
    const capture = await permittedCapture(services, call, "write", id);
    const { tenant } = call.principal;
    if (endStates.has(capture.state)) return wholeCapture(services, call, capture);
    try {
      const cancelled = await written(services, { tenant, signal: call.signal }, { ...capture, state: "cancelled" });
      await services.captureRunner.cancel(tenant, capture);
      return captureView(cancelled);
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}

/** What a capture would make of its turns now. */
export async function replayCapture(
  services: CaptureServices,
  call: Call,
  id: string,
  changes: { readonly extractor?: CaptureExtractor | undefined } = {},
): Promise<CaptureJob> {
  const asked = checkReplay(changes);
  const capture = await permittedCapture(services, call, "read", id);
  authorize(call.principal, "read", capture.projectScope === undefined ? [] : [capture.projectScope]);
  const { extractor = capture.extractor } = asked;
  return tryCapture(services, call, { ...orderOf(capture), extractor });
}

/** Most places that a memory is shown to rest on. */
const mostEvidence = 1_000;

/** What a memory rests on: of sessions that the principal may read. */
export async function evidenceOfMemory(
  services: CaptureServices,
  call: Call,
  id: string,
): Promise<readonly MemoryEvidence[]> {
  const { memory } = await permittedMemory(services, call, "read", memoryId(id));
  const { tenant } = call.principal;
  const found = await services.ledger.resources.list(
    tenant,
    { family: evidenceFamily, group: memory.id, limit: mostEvidence },
    { signal: call.signal },
  );
  return found
    .flatMap(({ state }: StoredResource) => (state === undefined ? [] : [state as EvidenceRecord]))
    .filter(({ session }) => permitsScope(call.principal, session.scope))
    .toSorted((left, right) => left.at - right.at || left.turn - right.turn || left.start - right.start);
}
