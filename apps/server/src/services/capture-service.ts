import {
  captureJobToProto,
  listCapturesRequestFromProto,
  listCapturesResultToProto,
  listReviewsRequest,
  listReviewsResultToProto,
  memoryEvidenceToProto,
  memoryToProto,
  optionalPreconditionFromProto,
  postMortem,
  type proto,
  replayChanges,
  reviewDecisions,
  startCaptureFromProto,
} from "@loci/api";
import { type CallOptions, type CaptureJob, type Loci, LociError } from "@loci/loci";
import type { MethodsOf } from "../calls/served-calls.ts";
import { waitOf } from "./wait-time.ts";
import { writing } from "./writing-options.ts";

/** Making memories of sessions. Ids are checked by the engine, after the caller's rights. */
export const captureMethods: MethodsOf<typeof proto.CaptureServiceService> = {
  startCapture: async (request, { loci, options }) => ({
    capture: captureJobToProto(await loci.captures.start(startCaptureFromProto(request), options)),
  }),
  getCapture: async ({ id }, { loci, options }) => ({
    capture: captureJobToProto(await loci.captures.get(id, options)),
  }),
  waitCapture: async ({ id, timeout }, { loci, options }) => ({
    capture: captureJobToProto(await captureWithin(loci, id, waitOf(timeout), options)),
  }),
  listCaptures: async (request, { loci, options }) =>
    listCapturesResultToProto(await loci.captures.list(listCapturesRequestFromProto(request), options)),
  cancelCapture: async ({ id }, { loci, options }) => ({
    capture: captureJobToProto(await loci.captures.cancel(id, options)),
  }),
  undoCapture: async ({ id }, { loci, options }) => ({
    capture: captureJobToProto(await loci.captures.undo(id, options)),
  }),
  replayCapture: async (request, { loci, options }) => {
    const changes = replayChanges.fromProto(request);
    return { capture: captureJobToProto(await loci.captures.replay(request.id, changes, options)) };
  },
  recordPostMortem: async (request, { loci, options }) => {
    const memory = await loci.captures.recordPostMortem(postMortem.fromProto(request), writing(options, request));
    return { memory: memoryToProto(memory) };
  },
  listReviews: async (request, { loci, options }) =>
    listReviewsResultToProto(await loci.captures.reviews.list(listReviewsRequest.fromProto(request), options)),
  decideReview: async ({ id, decision, etag }, { loci, options }) => {
    const decided = reviewDecisions.fromProto(decision, "decision");
    const memory = await loci.captures.reviews.decide(id, decided, optionalPreconditionFromProto(etag), options);
    return { memory: memory && memoryToProto(memory) };
  },
  listEvidence: async ({ memory }, { loci, options }) => ({
    evidence: (await loci.captures.evidence(memory, options)).map(memoryEvidenceToProto),
  }),
};

/** The capture when it is over, or as it stands when the time is. */
async function captureWithin(loci: Loci, id: string, milliseconds: number, options: CallOptions): Promise<CaptureJob> {
  const timeout = AbortSignal.timeout(milliseconds);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    return await loci.captures.wait(id, { ...options, signal });
  } catch (error) {
    const isOver = timeout.aborted && options.signal?.aborted !== true && LociError.is(error);
    if (!isOver) throw error;
    return loci.captures.get(id, options);
  }
}
