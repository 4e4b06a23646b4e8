// What it has read is its own number.
import { parentPort, threadId } from "node:worker_threads";
import type { ReadingRequest } from "../../../src/capture/reading/reading-protocol.ts";

const port = parentPort;
port?.on("message", (request: ReadingRequest) => {
  if (request.type === "read")
    port?.postMessage({ type: "read", id: request.id, result: { texts: [String(threadId)], unread: [] } });
});
