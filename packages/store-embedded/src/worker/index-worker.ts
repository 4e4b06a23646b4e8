/** The thread that holds the indexes: reads and writes their files, and searches. */
import { parentPort, workerData } from "node:worker_threads";
import { LociError } from "@loci/domain";
import { toStorageError } from "../storage/storage-error.ts";
import { perform } from "./index-service.ts";
import { OpenIndexes } from "./open-indexes.ts";
import {
  cancellationPlaces,
  type IndexThreadSettings,
  type MessageFromIndex,
  type MessageToIndex,
} from "./protocol.ts";

const { settings, cancellations } = workerData as { settings: IndexThreadSettings; cancellations: Int32Array };
const port = parentPort;
if (port === null) throw new Error("The index runs only as a worker thread.");
const send = (message: MessageFromIndex, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

const indexes = new OpenIndexes(settings, (error) => send({ type: "problem", error: error.toJSON() }));

port.on("message", ({ id, operation }: MessageToIndex) => {
  const throwIfOver = (): void => {
    if (Atomics.load(cancellations, id % cancellationPlaces) !== id) return;
    throw new LociError("CANCELLED", { message: "The call was cancelled by its caller." });
  };
  const answer = async (): Promise<void> => {
    throwIfOver();
    const result = await perform(indexes, operation, throwIfOver);
    send({ type: "done", id, result }, buffersOf(result));
    if (operation.type === "close") port.close();
  };
  answer().catch((error: unknown) =>
    send({ type: "failed", id, error: toStorageError(error, settings.directory).toJSON() }),
  );
});

/** The buffers of an answer, which then need not be copied. */
function buffersOf(result: unknown): readonly ArrayBuffer[] {
  if (typeof result !== "object" || result === null) return [];
  return Object.values(result).flatMap((value: unknown) =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}
