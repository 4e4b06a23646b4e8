/** The thread that holds the indexes: reads and writes their files, and searches. */
import { parentPort, workerData } from "node:worker_threads";
import { LociError } from "@loci/domain";
import { toStorageError } from "../storage/storage-error.ts";
import { perform } from "./index-service.ts";
import { OpenIndexes } from "./open-indexes.ts";
import {
  type Answer,
  cancellationPlaces,
  type IndexOperation,
  type IndexThreadSettings,
  type SentOperation,
} from "./protocol.ts";
import { type SearchOutcome, searchTextsTogether, searchVectorsTogether } from "./search-together.ts";

const { settings, cancellations } = workerData as { settings: IndexThreadSettings; cancellations: Int32Array };
const port = parentPort;
if (port === null) throw new Error("The index runs only as a worker thread.");

/** Answers that are sent together, once nothing else is done in this turn. */
let unsent: Answer[] = [];
let buffers: ArrayBuffer[] = [];

/** What is done step by step, without `close`. */
const running = new Set<Promise<unknown>>();

const indexes = new OpenIndexes(settings, (error) => give({ type: "problem", error: error.toJSON() }));

port.on("message", (operations: readonly SentOperation[]) => {
  giveOutcomes(searchVectorsTogether(indexes, operations, throwIfOver));
  // Who asked for no bounds reads float32 vectors while the rest is done. Else one message for all takes less of both threads.
  if (operations.some(({ operation }) => operation.type === "searchVectors" && !operation.bounds)) sendAnswers();
  giveOutcomes(searchTextsTogether(indexes, operations, throwIfOver));
  for (const { id, operation } of operations) {
    if (operation.type === "searchVectors" || operation.type === "searchTexts") continue;
    try {
      throwIfOver(id);
      const result = perform(indexes, operation, () => throwIfOver(id));
      if (result instanceof Promise) void giveLater(id, operation, result);
      else give({ type: "done", id, result });
    } catch (error) {
      fail(id, error);
    }
  }
  sendAnswers();
});

function giveOutcomes(outcomes: readonly SearchOutcome[]): void {
  for (const { id, result, error } of outcomes)
    if (error === undefined) give({ type: "done", id, result });
    else fail(id, error);
}

async function giveLater(id: number, { type }: IndexOperation, result: Promise<unknown>): Promise<void> {
  if (type !== "close") running.add(result);
  try {
    const done = await result;
    // What is under way ends by itself, and whoever waits for it is told before the thread is gone.
    if (type === "close") await Promise.allSettled(running);
    give({ type: "done", id, result: done });
  } catch (error) {
    fail(id, error);
  }
  running.delete(result);
  if (type !== "close") return;
  sendAnswers();
  // Nothing else keeps the thread. Deno's port of a worker cannot be closed.
  port?.unref();
}

function throwIfOver(id: number): void {
  if (Atomics.load(cancellations, id % cancellationPlaces) !== id) return;
  throw new LociError("CANCELLED", { message: "The call was cancelled by its caller." });
}

function fail(id: number, error: unknown): void {
  give({ type: "failed", id, error: toStorageError(error, settings.directory).toJSON() });
}

function give(answer: Answer): void {
  if (unsent.length === 0) queueMicrotask(sendAnswers);
  unsent.push(answer);
  // The buffers of an answer need not be copied.
  if (answer.type !== "done" || typeof answer.result !== "object" || answer.result === null) return;
  for (const value of Object.values(answer.result) as unknown[])
    if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) buffers.push(value.buffer);
}

function sendAnswers(): void {
  if (unsent.length === 0) return;
  const [answers, transfer] = [unsent, buffers];
  unsent = [];
  buffers = [];
  port?.postMessage(answers, transfer);
}
