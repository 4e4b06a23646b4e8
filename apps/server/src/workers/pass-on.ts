import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { workerGoneAnswer, workerGoneTrailers } from "./refusal-headers.ts";

const { NGHTTP2_CANCEL, NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR } = constants;
const ignore = (): void => undefined;

/**
 * Passes a call on to a worker, and what it answers back: bytes, headers, trailers and resets as they are, and no faster than
 * the other side takes them. When the worker goes before it has answered, the call ends as one of a server that is away.
 */
export function passOn(call: ServerHttp2Stream, headers: IncomingHttpHeaders, session: ClientHttp2Session): void {
  let passed: ClientHttp2Stream;
  try {
    passed = session.request(headers);
  } catch {
    // The connection has ended since it was looked for.
    refuse(call);
    return;
  }
  let trailers: IncomingHttpHeaders | undefined;
  // A reset is told by `close`.
  call.on("error", ignore);
  passed.on("error", ignore);
  passed.on("response", (answer, flags) => {
    if (call.closed || call.headersSent) return;
    if ((flags & NGHTTP2_FLAG_END_STREAM) !== 0) {
      call.respond(answer, { endStream: true });
      return;
    }
    call.respond(answer, { waitForTrailers: true });
    call.once("wantTrailers", () => call.sendTrailers(trailers ?? workerGoneTrailers()));
    passed.pipe(call);
  });
  passed.once("trailers", (sent: IncomingHttpHeaders) => void (trailers = sent));
  call.pipe(passed);
  call.once("close", () => {
    if (!passed.closed) passed.close(call.rstCode === NGHTTP2_NO_ERROR ? NGHTTP2_CANCEL : call.rstCode);
  });
  passed.once("close", () => {
    if (call.closed) return;
    // A caller who cancels has closed the call. Else a stream is cancelled because its connection goes, which may not be told of the session yet.
    const isGone = session.destroyed || session.closed || passed.rstCode === NGHTTP2_CANCEL;
    if (trailers === undefined && !isAnswered(call) && isGone) refuse(call);
    else if (passed.rstCode !== NGHTTP2_NO_ERROR) call.close(passed.rstCode);
    // It has answered without waiting for the rest of the request: nobody reads that any more.
    else if (!call.readableEnded) call.resume();
  });
}

/** Ends a call whose worker is not there. */
export function refuse(call: ServerHttp2Stream): void {
  if (call.closed || call.destroyed) return;
  call.on("error", ignore);
  // Its last part was never sent, so that this sends the trailers.
  if (call.headersSent) call.end();
  else call.respond(workerGoneAnswer(), { endStream: true });
  call.resume();
}

function isAnswered(call: ServerHttp2Stream): boolean {
  return call.headersSent && call.writableEnded;
}
