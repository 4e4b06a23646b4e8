/** The thread that reads turns for captures, and judges what they state. */
import { parentPort, workerData } from "node:worker_threads";
import type { Steps } from "@loci/core";
import { FoundStatements } from "./found-statements.ts";
import {
  cancellationPlaces,
  type ReadingAnswer,
  type ReadingRequest,
  type ReadingThreadData,
} from "./reading-protocol.ts";

const { cancellations } = workerData as ReadingThreadData;
const port = parentPort;
if (port === null) throw new Error("Captures are read only in a worker thread.");

/** By the message that began it. */
const readings = new Map<number, FoundStatements>();

port.on("message", (request: ReadingRequest) => {
  if (request.type === "forget") readings.delete(request.reading);
  else
    try {
      answer(request);
    } catch (error) {
      give({ type: "failed", id: request.id, error });
    }
});

function answer(request: Exclude<ReadingRequest, { readonly type: "forget" }>): void {
  const { id } = request;
  if (request.type === "read") {
    const found = unlessCancelled(id, FoundStatements.in(request.turns, request.company));
    if (found === undefined) return;
    readings.set(id, found);
    give({ type: "read", id, result: { texts: found.texts, unread: found.unread } });
    return;
  }
  const found = readings.get(request.reading);
  if (found === undefined) throw new Error("What was to be judged was not read here.");
  const result = unlessCancelled(id, found.judged(request.against));
  if (result !== undefined) give({ type: "judged", id, result });
}

/** `undefined` when nobody waits for it any more. */
function unlessCancelled<Result>(id: number, steps: Steps<Result>): Result | undefined {
  while (Atomics.load(cancellations, id % cancellationPlaces) !== id) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
  return undefined;
}

function give(message: ReadingAnswer): void {
  port?.postMessage(message);
}
