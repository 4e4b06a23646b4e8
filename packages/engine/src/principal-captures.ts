import type { CapturesApi } from "@loci/domain";
import { decideReview, listReviews } from "./capture/decide-review.ts";
import { listCaptures } from "./capture/list-captures.ts";
import { cancelCapture, evidenceOfMemory, getCapture, replayCapture, waitForCapture } from "./capture/read-captures.ts";
import { recordPostMortem } from "./capture/record-post-mortem.ts";
import { startCapture } from "./capture/start-capture.ts";
import { undoCapture } from "./capture/undo-capture.ts";
import type { RunCall } from "./run-call.ts";

/** The calls on captures as one principal may make them. */
export function principalCaptures(run: RunCall): CapturesApi {
  return {
    start: (input, options) => run(options, (services, call) => startCapture(services, call, input)),
    get: (id, options) => run(options, (services, call) => getCapture(services, call, id)),
    wait: (id, options) => run(options, (services, call) => waitForCapture(services, call, id)),
    list: (request, options) => run(options, (services, call) => listCaptures(services, call, request)),
    cancel: (id, options) => run(options, (services, call) => cancelCapture(services, call, id)),
    undo: (id, options) => run(options, (services, call) => undoCapture(services, call, id)),
    replay: (id, changes, options) => run(options, (services, call) => replayCapture(services, call, id, changes)),
    recordPostMortem: (input, options) => run(options, (services, call) => recordPostMortem(services, call, input)),
    reviews: {
      list: (request, options) => run(options, (services, call) => listReviews(services, call, request)),
      decide: (id, decision, precondition, options) =>
        run(options, (services, call) => decideReview(services, call, { id, decision, precondition })),
    },
    evidence: (memory, options) => run(options, (services, call) => evidenceOfMemory(services, call, memory)),
  };
}
