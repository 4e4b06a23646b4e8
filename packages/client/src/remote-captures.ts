import {
  captureJobFromProto,
  identifierToProto,
  listCapturesRequestToProto,
  listCapturesResultFromProto,
  listReviewsRequest,
  listReviewsResultFromProto,
  memoryEvidenceFromProto,
  memoryFromProto,
  optionalEtagToProto,
  postMortem,
  proto,
  replayChanges,
  reviewDecisions,
  startCaptureToProto,
} from "@loci/api";
import type { CaptureJob, CapturesApi } from "@loci/domain";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

const service = proto.CaptureServiceService;

const overStates: ReadonlySet<CaptureJob["state"]> = new Set(["succeeded", "dead", "undone", "cancelled"]);

/** Memories that form by themselves, on a server. */
export function remoteCaptures(calls: RunningCalls, server: ServerCalls): CapturesApi {
  const readJob = (response: { readonly capture: proto.CaptureJob | undefined }): CaptureJob =>
    server.read(response.capture, captureJobFromProto);
  const named = (id: string): { readonly id: string } => ({ id: identifierToProto(id, "id") });
  return {
    start: (input, options) =>
      calls.run(options, async (call) =>
        readJob(await server.unary(service.startCapture, startCaptureToProto(input), call)),
      ),
    get: (id, options) =>
      calls.run(options, async (call) => readJob(await server.unary(service.getCapture, named(id), call))),
    wait: (id, options) =>
      calls.run(options, async (call) => {
        for (;;) {
          const request = { ...named(id), timeout: undefined };
          const job = readJob(await server.unary(service.waitCapture, request, call));
          if (overStates.has(job.state)) return job;
        }
      }),
    list: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listCaptures, listCapturesRequestToProto(request), call);
        return server.read(response, listCapturesResultFromProto);
      }),
    cancel: (id, options) =>
      calls.run(options, async (call) => readJob(await server.unary(service.cancelCapture, named(id), call))),
    undo: (id, options) =>
      calls.run(options, async (call) => readJob(await server.unary(service.undoCapture, named(id), call))),
    replay: (id, changes, options) =>
      calls.run(options, async (call) =>
        readJob(
          await server.unary(service.replayCapture, { ...named(id), ...replayChanges.toProto(changes ?? {}) }, call),
        ),
      ),
    recordPostMortem: (input, options) =>
      calls.run(options, async (call) => {
        const request = { ...postMortem.toProto(input), requestId: call.requestId };
        const { memory } = await server.unary(service.recordPostMortem, request, call);
        return server.read(memory, memoryFromProto);
      }),
    reviews: {
      list: (request, options) =>
        calls.run(options, async (call) => {
          const response = await server.unary(service.listReviews, listReviewsRequest.toProto(request), call);
          return server.read(response, listReviewsResultFromProto);
        }),
      decide: (id, decision, precondition, options) =>
        calls.run(options, async (call) => {
          const etag = optionalEtagToProto(precondition);
          const request = { ...named(id), decision: reviewDecisions.toProto(decision, "decision"), etag };
          const { memory } = await server.unary(service.decideReview, request, call);
          return memory === undefined ? undefined : server.read(memory, memoryFromProto);
        }),
    },
    evidence: (memory, options) =>
      calls.run(options, async (call) => {
        const request = { memory: identifierToProto(memory, "memory") };
        const { evidence } = await server.unary(service.listEvidence, request, call);
        return evidence.map((each) => server.read(each, memoryEvidenceFromProto));
      }),
  };
}
