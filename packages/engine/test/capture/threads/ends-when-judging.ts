// Reads, and is gone when it is to judge.
import { parentPort } from "node:worker_threads";
import type { ReadingRequest } from "../../../src/capture/reading/reading-protocol.ts";

const port = parentPort;
port?.on("message", (request: ReadingRequest) => {
  if (request.type === "read")
    port?.postMessage({ type: "read", id: request.id, result: { texts: ["User works at Corvid."], unread: [] } });
  if (request.type === "judge") process.exit(3);
});
