import { type CapturesApi, LociError } from "@loci/domain";

/** Captures, as soon as servers have them. */
export function remoteCaptures(): CapturesApi {
  const refuse = async (): Promise<never> => {
    throw new LociError("UNSUPPORTED_OPERATION", {
      message: "Captures cannot be reached over gRPC yet.",
      advice: "Open the data directory in process.",
    });
  };
  return {
    start: refuse,
    get: refuse,
    wait: refuse,
    list: refuse,
    cancel: refuse,
    undo: refuse,
    replay: refuse,
    recordPostMortem: refuse,
    reviews: { list: refuse, decide: refuse },
    evidence: refuse,
  };
}
