import type { OutgoingHttpHeaders } from "node:http2";
import { errorToStatus } from "@loci/api";
import { LociError } from "@loci/loci";

/** What a call is ended with whose worker is not there: what clients take for a server that is away, and try again. */
export function workerGoneTrailers(): OutgoingHttpHeaders {
  const { code, details, metadata } = errorToStatus(
    new LociError("SERVER_UNAVAILABLE", {
      message: "The worker that has the tenant's data is not there at the moment.",
      advice: "Try again: it is being started again.",
    }),
  );
  return { "grpc-status": String(code), "grpc-message": encodeURI(details), ...metadata.toHttp2Headers() };
}

/** The same as a whole answer. */
export function workerGoneAnswer(): OutgoingHttpHeaders {
  return { ":status": 200, "content-type": "application/grpc+proto", ...workerGoneTrailers() };
}
